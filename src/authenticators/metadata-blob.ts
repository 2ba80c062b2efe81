import { createPrivateKey, sign } from 'node:crypto';
import { AttestationAuthority } from './attestation-authority.ts';

/** Authenticator model listed in the metadata. */
export interface MetadataModel {
  readonly aaguid: string;
  readonly description: string;
  /** Status reports, such as `ATTESTATION_KEY_COMPROMISE`. The default is `FIDO_CERTIFIED`. */
  readonly statuses?: readonly string[];
}

/** Options of a metadata BLOB. */
export interface MetadataOptions {
  readonly models: readonly MetadataModel[];
  /** Certificate authority that signs the BLOB and attests the models. The default is the default authority. */
  readonly authority?: AttestationAuthority;
  /** Number of the BLOB, starting at 1. */
  readonly no?: number;
  /** Date after which the BLOB is out of date, such as `2049-12-31`. */
  readonly nextUpdate?: string;
}

/** Signed BLOB, with the root certificate of its signature in PEM. */
export interface MetadataBlob {
  readonly blob: string;
  readonly roots: readonly string[];
}

/** Date of all status reports in test metadata. */
const effectiveDate = '2020-01-01';

/**
 * Creates signed metadata about authenticator models in the format of the FIDO Metadata Service, version 3, with a
 * test root. Returns the BLOB and its root certificate as tenant settings accept them.
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
    metadataStatement: createStatement(aaguid, description, root),
    statusReports: statuses.map((status) => ({ status, effectiveDate })),
    timeOfLastStatusChange: effectiveDate,
  }));
  const payload = { legalHeader: 'Test metadata.', no, nextUpdate, entries };
  const content = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const key = createPrivateKey({ key: { ...privateKey }, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return { blob: `${content}.${signature.toString('base64url')}`, roots: [authority.rootCertificate()] };
}

/** Creates the metadata statement of one model with its key algorithms, attestation types and root certificate. */
function createStatement(aaguid: string, description: string, root: string): object {
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
