/** Addition and multiplication tables of a finite field over the numbers from 0; 0 and 1 are the neutral elements. */
export interface GaloisField {
  readonly order: number;
  readonly add: (a: number, b: number) => number;
  readonly multiply: (a: number, b: number) => number;
}

/**
 * Creates the finite field of an order.
 * @returns the field; `null` if the order is not a prime power
 */
export function galoisField(order: number): GaloisField | null {
  const prime = smallestDivisor(order);
  const degree = Math.round(Math.log(order) / Math.log(prime));
  if (order < 2 || prime ** degree !== order) return null;
  const toDigits = (value: number) =>
    Array.from({ length: degree }, (_, at) => Math.floor(value / prime ** at) % prime);
  const toNumber = (digits: readonly number[]) => digits.reduce((sum, digit, at) => sum + digit * prime ** at, 0);
  const elements = Array.from({ length: order }, (_, value) => toDigits(value));
  const reduction = irreducible(prime, degree, elements);
  const sums = elements.map((a) => elements.map((b) => toNumber(a.map((digit, at) => (digit + (b[at] ?? 0)) % prime))));
  const products = elements.map((a) => elements.map((b) => toNumber(product(a, b, reduction, prime))));
  return {
    order,
    add: (a, b) => sums[a]?.[b] ?? 0,
    multiply: (a, b) => products[a]?.[b] ?? 0,
  };
}

function smallestDivisor(order: number): number {
  for (let divisor = 2; divisor * divisor <= order; divisor += 1) if (order % divisor === 0) return divisor;
  return order;
}

/** Multiplies two polynomials modulo a reduction, which gives the remainder of the power with the field's degree. */
function product(a: readonly number[], b: readonly number[], reduction: readonly number[], prime: number): number[] {
  const degree = a.length;
  const digits = Array.from({ length: 2 * degree - 1 }, () => 0);
  a.forEach((one, at) => {
    b.forEach((other, by) => {
      digits[at + by] = ((digits[at + by] ?? 0) + one * other) % prime;
    });
  });
  for (let at = digits.length - 1; at >= degree; at -= 1) {
    const over = digits[at] ?? 0;
    reduction.forEach((digit, by) => {
      digits[at - degree + by] = ((digits[at - degree + by] ?? 0) + over * digit) % prime;
    });
  }
  return digits.slice(0, degree);
}

/** Finds a reduction without zero divisors, which makes the polynomials a field. */
function irreducible(prime: number, degree: number, elements: readonly (readonly number[])[]): readonly number[] {
  if (degree === 1) return [0];
  const isField = (reduction: readonly number[]) =>
    elements
      .slice(1)
      .every((a) => elements.slice(1).every((b) => product(a, b, reduction, prime).some((digit) => digit > 0)));
  const found = elements.find(isField);
  if (found === undefined) throw new RangeError(`A field of order ${prime ** degree} does not exist.`);
  return found;
}
