import type { DocumentPage, DocumentProfile, DocumentSummary } from '../../contract/document.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { countPages, type DocumentRecord, isPending } from '../../journal/document-state.ts';

/** What the addresses of a record are made with. */
export interface Addresses {
  /** Base address of the sandbox, without a slash at the end. */
  readonly base: string;
  /** The path of the sandbox on its server; empty for the default one. */
  readonly prefix: string;
  readonly profile: DocumentProfile;
  /** What lets someone read a private file, as a value of `token`; `null` for a public one. */
  readonly token: string | null;
}

/** Where the API, the files and the reading pages stand, below the address of a sandbox. */
export const apiPath = '/api/v1';
export const filesPath = '/media';
export const readingPath = '/documents';

/** The folder of a record's files below `filesPath`, as the specification spells it. */
export function getFolder(uid: string): string {
  const hex = uid.replaceAll('-', '');
  return `docs/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex.slice(4, 6)}/${hex}`;
}

/** Address of a record. */
function recordAddress({ base }: Pick<Addresses, 'base'>, id: number): string {
  return `${base}${apiPath}/document/${id}/`;
}

/**
 * A record as lists carry it (D2, D5, D6): all but its pages. Takes the record, the length of its file in bytes, and what its
 * addresses are made with.
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

/** Address of a record that anyone who may read it can follow: that of an unlisted one carries its `uid` (D7). */
export function followedAddress({ id, uid, listed }: DocumentRecord, addresses: Addresses): string {
  return `${recordAddress(addresses, id)}${listed ? '' : `?uid=${uid}`}`;
}

/** A page of a record (D3). Takes its number from 1. */
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

/** Address of the page that people read. One that needs a proof has it: it must answer anyone who was given it. */
function siteAddress({ id, uid, slug, listed }: DocumentRecord, { base, token }: Addresses): string {
  const name = slug === '' ? String(id) : `${id}-${slug}`;
  const proof = token !== null ? `?token=${token}` : listed ? '' : `?uid=${uid}`;
  return `${base}${readingPath}/${name}/${proof}`;
}

function fileAddresses(uid: string, { base, token }: Addresses): (name: string) => string {
  const folder = `${base}${filesPath}/${getFolder(uid)}`;
  return (name) => `${folder}/${name}${token === null ? '' : `?token=${token}`}`;
}

/** U: the template of a private record has its braces percent-encoded. */
function template(address: string, { profile, token }: Addresses): string {
  if (profile === 'seed' || token === null) return address;
  return address.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

/** `YYYY-MM-DD HH:MM:SS.ffffff+00:00` (D6). U: the fraction is absent when it is zero. */
function modifiedAt(atMs: number, profile: DocumentProfile): string {
  const [date = '', time = ''] = toInstant(atMs).replace('Z', '').split('T');
  const [seconds = '', fraction = ''] = time.split('.');
  return profile === 'upstream' && fraction === '000'
    ? `${date} ${seconds}+00:00`
    : `${date} ${seconds}.${fraction}000+00:00`;
}
