import type { DocumentPage, DocumentSummary } from '../../contract/document.schema.ts';
import type { DocumentProfile } from '../../contract/sandbox.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { countPages, type DocumentRecord, isPending } from '../../journal/document-state.ts';
import { apiPath, filesPath, readingPath } from './document-paths.ts';

/** Values that the URLs of a record are built from. */
export interface Addresses {
  /** Base URL of the sandbox, without a trailing slash. */
  readonly base: string;
  /** Path of the sandbox on its server. The path of the default sandbox is empty. */
  readonly prefix: string;
  readonly profile: DocumentProfile;
  /** Access token for private files, sent as `token`, or `null` for a public record. */
  readonly token: string | null;
}

/** Returns the folder of a record's files below `filesPath`, in the format of the specification. */
export function getFolder(uid: string): string {
  const hex = uid.replaceAll('-', '');
  return `docs/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex.slice(4, 6)}/${hex}`;
}

/** Returns the URL of a record. */
function recordAddress({ base }: Pick<Addresses, 'base'>, id: number): string {
  return `${base}${apiPath}/document/${id}/`;
}

/**
 * Creates the list representation of a record (D2, D5, D6), which has no pages. `fileBytes` is the length of its
 * file in bytes.
 */
export function createSummary(record: DocumentRecord, fileBytes: number, addresses: Addresses): DocumentSummary {
  const { id, uid, source: _, ...rest } = record;
  const files = fileAddresses(uid, addresses);
  return {
    resource_uri: recordAddress(addresses, id),
    id,
    site_url: siteAddress(record, addresses),
    title: rest.title,
    slug: rest.slug,
    description: rest.description,
    published_at: rest.publishedAt,
    num_pages: record.state === 'created' ? 0 : countPages(record),
    public: rest.public,
    listed: rest.listed,
    allow_annotation: rest.allowAnnotation,
    pending: isPending(record),
    file_url: files('document.pdf'),
    file_size: fileBytes,
    cover_image: files('page-p1-small.png'),
    page_template: template(files('page-p{page}-{size}.png'), addresses),
    outline: rest.outline,
    properties: rest.properties,
    uid,
    data: rest.data,
    pages_uri: `${addresses.prefix}${apiPath}/page/?document=${id}${record.listed ? '' : `&uid=${uid}`}`,
    original: rest.original,
    foirequest: rest.foirequest,
    publicbody: rest.publicbody,
    last_modified_at: modifiedAt(rest.modifiedAtMs, addresses.profile),
  };
}

/**
 * Returns the URL of a record for everyone who may read it. The URL of an unlisted record contains its `uid` (D7).
 */
export function followedAddress({ id, uid, listed }: DocumentRecord, addresses: Addresses): string {
  return `${recordAddress(addresses, id)}${listed ? '' : `?uid=${uid}`}`;
}

/** Creates a page of a record (D3). Page numbers start at 1. */
export function createPage(
  { id, uid }: Pick<DocumentRecord, 'id' | 'uid'>,
  number: number,
  { content, width, height }: Pick<DocumentPage, 'content' | 'width' | 'height'>,
  addresses: Addresses,
): DocumentPage {
  return {
    document: recordAddress(addresses, id),
    number,
    content,
    width,
    height,
    image: template(fileAddresses(uid, addresses)(`page-p${number}-{size}.png`), addresses),
  };
}

/**
 * Returns the URL of the reading page with any required token or `uid`, so the URL works for everyone who has it.
 */
function siteAddress({ id, uid, slug, listed }: DocumentRecord, { base, token }: Addresses): string {
  const name = slug === '' ? String(id) : `${id}-${slug}`;
  const proof = token !== null ? `?token=${token}` : listed ? '' : `?uid=${uid}`;
  return `${base}${readingPath}/${name}/${proof}`;
}

function fileAddresses(uid: string, { base, token }: Addresses): (name: string) => string {
  const folder = `${base}${filesPath}/${getFolder(uid)}`;
  return (name) => `${folder}/${name}${token === null ? '' : `?token=${token}`}`;
}

/** Returns a URL template. Upstream profile: its braces are percent-encoded for a private record. */
function template(address: string, { profile, token }: Addresses): string {
  if (profile === 'seed' || token === null) return address;
  return address.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

/** Formats a time as `YYYY-MM-DD HH:MM:SS.ffffff+00:00` (D6). Upstream profile: a fraction of zero is omitted. */
function modifiedAt(atMs: number, profile: DocumentProfile): string {
  const [date = '', time = ''] = toInstant(atMs).replace('Z', '').split('T');
  const [seconds = '', fraction = ''] = time.split('.');
  return profile === 'upstream' && fraction === '000'
    ? `${date} ${seconds}+00:00`
    : `${date} ${seconds}.${fraction}000+00:00`;
}
