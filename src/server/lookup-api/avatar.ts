/** Number of grid cells per row. The right half of the image mirrors the left half. */
const cells = 5;
const half = 3;
const cellPixels = 16;

/**
 * Creates a symmetric grid in one color as SVG, determined only by the id. The image is generated, so no third-party
 * license applies.
 *
 * @param id - at least 16 hexadecimal digits
 */
export function createAvatar(id: string): string {
  const hue = Number.parseInt(id.slice(0, 3), 16) % 360;
  const bits = Number.parseInt(id.slice(4, 8), 16);
  const rectangles = Array.from({ length: cells * half }, (_, place) => {
    if (((bits >> place) & 1) === 0) return '';
    const [row, column] = [Math.floor(place / half), place % half];
    const columns = column === cells - 1 - column ? [column] : [column, cells - 1 - column];
    return columns.map((x) => cell(x, row)).join('');
  });
  const size = (cells + 1) * cellPixels;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">` +
    `<rect width="${size}" height="${size}" fill="#f0f0f0"/><g fill="hsl(${hue} 55% 45%)">${rectangles.join('')}</g></svg>`
  );
}

function cell(column: number, row: number): string {
  const at = (place: number) => place * cellPixels + cellPixels / 2;
  return `<rect x="${at(column)}" y="${at(row)}" width="${cellPixels}" height="${cellPixels}"/>`;
}
