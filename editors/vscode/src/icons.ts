import * as vscode from 'vscode';

/** The marks, strongest first: they differ in shape as well as in colour. */
export const MARKS = ['moved', 'escape', 'leak', 'other'] as const;

export type Mark = (typeof MARKS)[number];

interface Drawing {
  /** An SVG element on a field of 16 by 16; `currentColor` is the colour of the theme. */
  readonly shape: string;
  readonly dark: string;
  readonly light: string;
}

const DRAWINGS: Record<Mark, Drawing> = {
  moved: {
    shape: '<path d="M8 2 14 8 8 14 2 8Z" fill="currentColor"/>',
    dark: '#f0773c',
    light: '#c44601',
  },
  escape: {
    shape: '<path d="M8 3 13.5 12.5H2.5Z" fill="currentColor"/>',
    dark: '#f2b632',
    light: '#a06a00',
  },
  leak: {
    shape: '<circle cx="8" cy="8" r="4" fill="none" stroke="currentColor" stroke-width="1.6"/>',
    dark: '#5ab4f0',
    light: '#0067a8',
  },
  other: {
    shape: '<circle cx="8" cy="8" r="2" fill="currentColor"/>',
    dark: '#9d9d9d',
    light: '#6e6e6e',
  },
};

/** The icon of a mark as a data URI; a pale one if the text was edited since. */
export function icon(mark: Mark, theme: 'dark' | 'light', stale: boolean): vscode.Uri {
  const drawing = DRAWINGS[mark];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" color="${drawing[theme]}"` +
    ` opacity="${stale ? 0.4 : 1}"><title>${mark}${stale ? ' stale' : ''}</title>${drawing.shape}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}
