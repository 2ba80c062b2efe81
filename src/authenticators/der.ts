/** Universal tags of DER (X.690) that certificates need. */

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

/** Encodes an element with a universal tag. */
export function element(tag: Tag, content: Uint8Array | string): Buffer {
  return tagged(universalTags[tag], typeof content === 'string' ? Buffer.from(content) : content);
}

/** Encodes a sequence of complete elements. */
export function sequence(...members: readonly Uint8Array[]): Buffer {
  return element('sequence', Buffer.concat(members));
}

/** Encodes an element with an explicit context-specific tag number. */
export function explicit(number: number, content: Uint8Array): Buffer {
  return tagged(0xa0 + number, content);
}

/** Encodes bytes as a bit string. */
export function bits(content: Uint8Array, unusedBits = 0): Buffer {
  return element('bitString', Buffer.concat([Buffer.from([unusedBits]), content]));
}

/** Encodes an object identifier in dotted form. The first number must be 1 or 2 and the second below 40. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element('objectId', Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/**
 * Encodes a UTC time given in ISO 8601. The year has two digits through 2049 and four digits after that (RFC 5280).
 */
export function time(instant: string): Buffer {
  const digits = `${instant.slice(0, 19).replaceAll(/\D/g, '')}Z`;
  return instant < '2050' ? element('utcTime', digits.slice(2)) : element('generalizedTime', digits);
}

function tagged(tag: number, content: Uint8Array): Buffer {
  const length = content.byteLength;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
}

/** Splits a number into groups of 7 bits. Every byte except the last has its highest bit set. */
function base128(value: number): readonly number[] {
  const low = value % 128;
  return value < 128 ? [low] : [...base128((value - low) / 128).map((byte) => byte | 0x80), low];
}
