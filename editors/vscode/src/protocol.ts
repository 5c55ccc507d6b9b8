/** What the server and this client say to each other beyond the language server protocol. */

export interface TypeInfo {
  readonly id: MessageType;
  readonly label: string;
  readonly detail: string;
}

export type MessageType = 'moved' | 'escape' | 'leak' | 'can-inline' | 'inline-call' | 'other';

/** The six message types, strongest first. */
export const TYPES: readonly TypeInfo[] = [
  { id: 'moved', label: 'Moved to Heap', detail: 'a variable lives on the heap' },
  { id: 'escape', label: 'Escape to Heap', detail: 'a value is created on the heap' },
  { id: 'leak', label: 'Leak Param', detail: 'a parameter outlives the call: callers pay' },
  { id: 'can-inline', label: 'Can Inline', detail: 'a function that can be inlined, with its cost' },
  { id: 'inline-call', label: 'Inlining Call', detail: 'a call that is inlined' },
  { id: 'other', label: 'Other', detail: 'whatever else the compiler says' },
];

/** Shown as long as neither the settings nor the user say otherwise. */
export const DEFAULT_TYPES: readonly MessageType[] = ['moved', 'escape', 'leak'];

/** One verdict of the compiler, as `escapelens.messages` lists it. Zero-based, UTF-16. */
export interface Message {
  readonly type: MessageType;
  readonly range: { readonly start: Point; readonly end: Point };
  readonly stale: boolean;
}

export interface Point {
  readonly line: number;
  readonly character: number;
}

/** The answer of `escapelens.messages` without groups. */
export interface Page {
  readonly nodes: readonly Message[];
  readonly total: number;
}

/** The parameters of `escapelens/status`. Without a package only what is shown has changed. */
export interface Status {
  readonly state: 'idle' | 'running' | 'failed';
  readonly package: string;
  readonly message: string;
}

/** The answer of `escapelens.analyze`. */
export interface Analysis {
  readonly status: 'ok' | 'failed';
  readonly error?: string;
}
