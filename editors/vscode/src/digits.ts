/** Digits as strokes on a field of 4 by 6: text would look different on every machine. */
const STROKES: Record<string, string> = {
  '2': 'M.2 1.5C.4-.6 4-.5 3.8 1.8 3.6 3.3.8 4.4.2 6H4',
  '3': 'M.3 0H3.8L1.8 2.4C4.8 2.4 4.6 6 1.8 6 1 6 .3 5.7 0 5.1',
  '4': 'M3 6V0L0 4.3H4.2',
  '5': 'M3.6 0H.6L.4 2.6C1.6 1.9 4 2.1 4 4.1 4 6.2 1.2 6.5 0 5.2',
  '6': 'M3.2 0C1.2.8.2 2.4.2 4.1A1.9 1.9 0 1 0 4 4.1 1.9 1.9 0 1 0 .2 4.1',
  '7': 'M0 0H4L1.4 6',
  '8': 'M2 2.8A1.4 1.4 0 1 1 2.01 2.8ZM2 2.8A1.6 1.6 0 1 0 2.01 2.8Z',
  '9': 'M.8 6C2.8 5.2 3.8 3.6 3.8 1.9A1.9 1.9 0 1 0 0 1.9 1.9 1.9 0 1 0 3.8 1.9',
  '+': 'M1.6 1.3V4.7M-.1 3H3.3',
};

/** A count of 2 to 9, or 9+, as SVG around a point of a field of 16 by 16. */
export function count(number: number, middle: readonly [number, number], colour: string): string {
  const text = number > 9 ? '9+' : String(number);
  const scale = text.length > 1 ? 0.92 : 1.1;
  const width = text.length > 1 ? 8.2 : 4;
  const glyphs = [...text].map((digit, index) => `<path transform="translate(${index * 4.9} 0)" d="${STROKES[digit]}"/>`);
  const [x, y] = [middle[0] - (width * scale) / 2, middle[1] - 3 * scale];
  return (
    `<g transform="translate(${x} ${y}) scale(${scale})" fill="none" stroke="${colour}" stroke-width="1.25"` +
    ` stroke-linecap="round" stroke-linejoin="round">${glyphs.join('')}</g>`
  );
}
