import * as vscode from 'vscode';
import { count } from './digits';

/** The marks, strongest first: they differ in shape as well as in colour. */
export const MARKS = ['moved', 'escape', 'leak', 'other'] as const;
/** What a comparison says of a line. */
export const CHANGES = ['new', 'gone', 'shifted'] as const;

export type Mark = (typeof MARKS)[number] | (typeof CHANGES)[number];
export type Theme = 'dark' | 'light';

interface Drawing {
  /** SVG on a field of 16 by 16; `currentColor` is the colour of the theme. */
  readonly one: string;
  /** The shape around a count, and where its middle is. A solid shape has the count cut in the other colour. */
  readonly many: string;
  readonly middle: readonly [number, number];
  readonly solid: boolean;
  readonly dark: string;
  readonly light: string;
}

const solid = (path: string): string => `<path d="${path}" fill="currentColor"/>`;
const line = (path: string): string =>
  `<path d="${path}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>`;
const ring = (radius: number, width: number): string =>
  `<circle cx="8" cy="8" r="${radius}" fill="none" stroke="currentColor" stroke-width="${width}"/>`;
/** A sign has its count beside it. */
const sign = (shape: string, dark: string, light: string): Drawing => {
  const small = `<g transform="translate(-1.2 3.5) scale(.56)">${shape}</g>`;
  return { one: shape, many: small, middle: [11.4, 8], solid: false, dark, light };
};

const DRAWINGS: Record<Mark, Drawing> = {
  moved: {
    one: solid('M8 2 14 8 8 14 2 8Z'),
    many: solid('M8 .2 15.8 8 8 15.8 .2 8Z'),
    middle: [8, 8],
    solid: true,
    dark: '#f0773c',
    light: '#b84100',
  },
  escape: {
    one: solid('M8 3 13.5 12.5H2.5Z'),
    many: solid('M8 .4 16 15.4H0Z'),
    middle: [8, 11],
    solid: true,
    dark: '#f2b632',
    light: '#8f5d00',
  },
  leak: { one: ring(4, 1.6), many: ring(7, 1.4), middle: [8, 8], solid: false, dark: '#5ab4f0', light: '#0067a8' },
  other: {
    one: '<circle cx="8" cy="8" r="2" fill="currentColor"/>',
    many: '<rect x="2" y="3" width="12" height="10" rx="3" fill="currentColor"/>',
    middle: [8, 8],
    solid: true,
    dark: '#9d9d9d',
    light: '#6e6e6e',
  },
  new: sign(line('M8 3V13M3 8H13'), '#56c7a0', '#00795a'),
  gone: sign(line('M3 8H13'), '#d68fc4', '#9a3f82'),
  shifted: sign(line('M8 3V13M5 10 8 13 11 10'), '#9d9d9d', '#6e6e6e'),
};

/** The colour of a mark in a theme. */
export function colour(mark: Mark, theme: Theme): string {
  return DRAWINGS[mark][theme];
}

/** The icon of a mark as a data URI: with a count where it is more than one, pale if it is old. */
export function icon(mark: Mark, theme: Theme, number = 1, stale = false): vscode.Uri {
  const drawing = DRAWINGS[mark];
  const cut = theme === 'dark' ? '#1a1a1a' : '#ffffff';
  const shape =
    number > 1 ? drawing.many + count(number, drawing.middle, drawing.solid ? cut : drawing[theme]) : drawing.one;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" color="${drawing[theme]}"` +
    ` opacity="${stale ? 0.4 : 1}"><title>${name(mark, number, stale)}</title>${shape}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}

/** The icon for both themes, as trees and decorations take it. */
export function icons(mark: Mark, number = 1, stale = false): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  return { light: icon(mark, 'light', number, stale), dark: icon(mark, 'dark', number, stale) };
}

/** A mark in words: `moved`, `escape 3`, `leak 9+ stale`. */
export function name(mark: Mark, number: number, stale: boolean): string {
  const digits = number > 9 ? ' 9+' : number > 1 ? ` ${number}` : '';
  return `${mark}${digits}${stale ? ' stale' : ''}`;
}
