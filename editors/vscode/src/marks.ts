import type { Message } from './protocol';
import { type Mark, MARKS, name } from './icons';

/** What one line has in the gutter, and where on the line it is underlined. */
export interface LineMark {
  readonly mark: Mark;
  readonly count: number;
  readonly stale: boolean;
}

/** One mark a line: that of the strongest message that begins there, with how many there are. */
export function lineMarks(messages: readonly Message[], lines: number): Map<number, LineMark> {
  const found = new Map<number, LineMark>();
  for (const message of messages) {
    const { line } = message.range.start;
    if (line >= lines) {
      continue;
    }
    const mark = markOf(message);
    const before = found.get(line);
    const stronger = before === undefined || rank(mark) < rank(before.mark);
    found.set(line, {
      mark: stronger ? mark : before.mark,
      count: (before?.count ?? 0) + 1,
      stale: message.stale || (before?.stale ?? false),
    });
  }
  return found;
}

/** A line's mark in words. */
export function markName({ mark, count, stale }: LineMark): string {
  return name(mark, count, stale);
}

/** The mark of one message. */
export function markOf({ change, type }: Message): Mark {
  if (change !== null) {
    return change === 'moved' ? 'shifted' : change;
  }
  return MARKS.find((mark) => mark === type) ?? 'other';
}

const ORDER: readonly Mark[] = ['new', 'gone', 'moved', 'escape', 'leak', 'other', 'shifted'];

function rank(mark: Mark): number {
  return ORDER.indexOf(mark);
}
