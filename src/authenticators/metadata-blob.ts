import { createPrivateKey, sign } from 'node:crypto';
import { AttestationAuthority } from './attestation-authority.ts';

/** One model of authenticator that metadata lists. */
export interface MetadataModel {
  readonly aaguid: string;
  readonly description: string;
  /** Status reports, such as `ATTESTATION_KEY_COMPROMISE`; `FIDO_CERTIFIED` where none is given. */
  readonly statuses?: readonly string[];
}

/** Options of a metadata BLOB. */
export interface MetadataOptions {
  readonly models: readonly MetadataModel[];
  /** The authority that signs the BLOB and that the models are attested by; the default authority without it. */
  readonly authority?: AttestationAuthority;
  /** The number of the BLOB, from 1. */
  readonly no?: number;
  /** The date after which the BLOB is out of date, such as `2049-12-31`. */
  readonly nextUpdate?: string;
}

/** A signed BLOB, and the certificate in PEM that its signature leads to. */
export interface MetadataBlob {
  readonly blob: string;
  readonly roots: readonly string[];
}

/** The date of all status reports of test metadata. */
const effectiveDate = '2020-01-01';

/**
 * Signs metadata about models of authenticators in the format of the FIDO Metadata Service, version 3, with a test root. Takes
 * the models; returns the BLOB and its root, as the settings of a tenant take them.
 */
export function metadataBlob({
  models,
  authority = new AttestationAuthority(),
  no = 1,
  nextUpdate = '2049-12-31',
}: MetadataOptions): MetadataBlob {
  const { privateKey, certificates } = authority.metadataSigner();
  const root = Buffer.from(authority.rootBytes()).toString('base64');
  const header = { alg: 'ES256', typ: 'JWT', x5c: certificates.map((one) => Buffer.from(one).toString('base64')) };
  const entries = models.map(({ aaguid, description, statuses = ['FIDO_CERTIFIED'] }) => ({
    aaguid,
    metadataStatement: statementOf(aaguid, description, root),
    statusReports: statuses.map((status) => ({ status, effectiveDate })),
    timeOfLastStatusChange: effectiveDate,
  }));
  const payload = { legalHeader: 'Test metadata.', no, nextUpdate, entries };
  const content = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const key = createPrivateKey({ key: { ...privateKey }, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return { blob: `${content}.${signature.toString('base64url')}`, roots: [authority.rootCertificate()] };
}

/** What metadata says of one model: the algorithms of its keys, how it attests, and by which root. */
function statementOf(aaguid: string, description: string, root: string): object {
  return {
    legalHeader: 'Test metadata.',
    aaguid,
    description,
    authenticatorVersion: 1,
    protocolFamily: 'fido2',
    schema: 3,
    upv: [{ major: 1, minor: 1 }],
    authenticationAlgorithms: ['secp256r1_ecdsa_sha256_raw', 'ed25519_eddsa_sha512_raw', 'rsassa_pkcsv15_sha256_raw'],
    publicKeyAlgAndEncodings: ['cose'],
    attestationTypes: ['basic_full', 'basic_surrogate'],
    userVerificationDetails: [[{ userVerificationMethod: 'presence_internal' }]],
    keyProtection: ['software'],
    matcherProtection: ['software'],
    cryptoStrength: 128,
    attachmentHint: ['internal'],
    tcDisplay: [],
    attestationRootCertificates: [root],
  };
}
