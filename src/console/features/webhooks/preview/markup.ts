/** The markup that receivers show in texts, as far as notifications use it. */

/** A part of a text. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; pieces: Piece[] }
  | { kind: 'code' | 'block'; text: string }
  | { kind: 'link'; pieces: Piece[] }
  | { kind: 'break' }

/** `slack`: its own markup. `discord`: Markdown. `teams`: Markdown of adaptive cards, which has no code. */
export type Dialect = 'slack' | 'discord' | 'teams'

interface Rule {
  pattern: RegExp
  piece: (match: RegExpExecArray, dialect: Dialect) => Piece
}

const mark =
  (kind: 'bold' | 'italic' | 'strike'): Rule['piece'] =>
  ([, text = ''], dialect) => ({ kind, pieces: piecesOf(text, dialect) })
const link: Rule['piece'] = ([, text = ''], dialect) => ({ kind: 'link', pieces: piecesOf(text, dialect) })

const code: readonly Rule[] = [
  { pattern: /```(?:\n)?([^]*?)```/y, piece: ([, text = '']) => ({ kind: 'block', text: text.replace(/\n$/, '') }) },
  { pattern: /`([^`\n]+)`/y, piece: ([, text = '']) => ({ kind: 'code', text }) },
]
const markdown: readonly Rule[] = [
  { pattern: /\\([\\`*_~|[\]()<>#+.-])/y, piece: ([, text = '']) => ({ kind: 'text', text }) },
  { pattern: /\[([^\]\n]+)\]\([^)\s]+\)/y, piece: link },
  { pattern: /\*\*([^*\n]+)\*\*/y, piece: mark('bold') },
  { pattern: /[*_]([^*_\n]+)[*_]/y, piece: mark('italic') },
]

const rules: Record<Dialect, readonly Rule[]> = {
  slack: [
    ...code,
    { pattern: /<[^|>\n]+\|([^>\n]*)>/y, piece: link },
    { pattern: /<([^>\n]+)>/y, piece: link },
    { pattern: /\*([^*\n]+)\*/y, piece: mark('bold') },
    { pattern: /(?<![\p{L}\p{N}])_([^_\n]+)_(?![\p{L}\p{N}])/uy, piece: mark('italic') },
    { pattern: /~([^~\n]+)~/y, piece: mark('strike') },
    { pattern: /&(amp|lt|gt);/y, piece: ([, name = '']) => ({ kind: 'text', text: entities[name] ?? '' }) },
  ],
  discord: [
    ...code,
    ...markdown,
    { pattern: /~~([^~\n]+)~~/y, piece: mark('strike') },
    {
      pattern: /(https?:\/\/[^\s<>)]+)/y,
      piece: ([, text = '']) => ({ kind: 'link', pieces: [{ kind: 'text', text }] }),
    },
  ],
  teams: markdown,
}
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>' }

/** The text as its receiver shows it. What is no markup is text. */
export function piecesOf(text: string, dialect: Dialect): Piece[] {
  const pieces: Piece[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') pieces.push({ kind: 'text', text: plain })
    plain = ''
  }
  for (let at = 0; at < text.length;) {
    const found = matchAt(text, at, dialect)
    const lines = dialect === 'teams' ? (/\n+/y.exec(text.slice(at, at + 100))?.[0].length ?? 0) : 0
    if (lines === 1) plain += ' '
    else if (found?.piece.kind === 'text') plain += found.piece.text
    else if (found || text[at] === '\n') {
      flush()
      pieces.push(found?.piece ?? { kind: 'break' })
    } else plain += text[at]
    at += found?.length ?? Math.max(1, lines)
  }
  flush()
  return pieces
}

/** Marks begin with these characters: most others are not looked at. */
const starts = /[`<*_~&\\[h]/

function matchAt(text: string, at: number, dialect: Dialect): { piece: Piece; length: number } | undefined {
  if (!starts.test(text[at] ?? '')) return undefined
  for (const { pattern, piece } of rules[dialect]) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) return { piece: piece(match, dialect), length: match[0].length }
  }
  return undefined
}
