/** The distinguished encoding of ASN.1 (X.690), as far as a certificate needs it. Every function returns one whole element. */

const universalTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;
type Tag = keyof typeof universalTags;

/** An element of a universal tag. Takes the content as bytes or as text. */
export function element(tag: Tag, content: Uint8Array | string): Buffer {
  return tagged(universalTags[tag], typeof content === 'string' ? Buffer.from(content) : content);
}

/** Members one after the other, each a whole element. */
export function sequence(...members: readonly Uint8Array[]): Buffer {
  return element('sequence', Buffer.concat(members));
}

/** An element that a structure tells apart by number. */
export function explicit(number: number, content: Uint8Array): Buffer {
  return tagged(0xa0 + number, content);
}

/** Whole bytes as a string of bits. */
export function bits(content: Uint8Array, unusedBits = 0): Buffer {
  return element('bitString', Buffer.concat([Buffer.from([unusedBits]), content]));
}

/** An object identifier in dotted form, whose first number is one or two and whose second is below 40. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element('objectId', Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A time, as text of ISO 8601 in UTC: with two digits of the year up to 2049, with four from then on (RFC 5280). */
export function time(instant: string): Buffer {
  const digits = `${instant.slice(0, 19).replaceAll(/\D/g, '')}Z`;
  return instant < '2050' ? element('utcTime', digits.slice(2)) : element('generalizedTime', digits);
}

function tagged(tag: number, content: Uint8Array): Buffer {
  const length = content.byteLength;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
}

/** Seven bits a byte, the highest bit set on all but the last. */
function base128(value: number): readonly number[] {
  const low = value % 128;
  return value < 128 ? [low] : [...base128((value - low) / 128).map((byte) => byte | 0x80), low];
}
