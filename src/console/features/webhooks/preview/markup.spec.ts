import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { piecesOf, type Dialect, type Piece } from './markup.ts'

/** `bold(a)` */
const written = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => {
      if (piece.kind === 'text') return piece.text
      if (piece.kind === 'break') return '/'
      return `${piece.kind}(${'pieces' in piece ? written(piece.pieces) : piece.text})`
    })
    .join('')

test.each<[Dialect, string, string]>([
  ['slack', '*<https://x | Alert &gt; 5>*\nGroup', 'bold(link( Alert > 5))/Group'],
  ['slack', 'a_b_c _i_ ~s~ `c*d*`', 'a_b_c italic(i) strike(s) code(c*d*)'],
  ['slack', 'x\n```\na,*b*\n```', 'x/block(a,*b*)'],
  ['slack', '&lt;!channel&gt; **', '<!channel> **'],
  ['discord', String.raw`**b** [t](https://x) \[no\]\(x\) \*`, 'bold(b) link(t) [no](x) *'],
  ['discord', '```\na_b_\n``` https://x.example/a', 'block(a_b_) link(https://x.example/a)'],
  ['teams', '**b** ```\nx\n\ny', 'bold(b) ``` x/y'],
])('%s: %s', (dialect, text, shown) => expect(written(piecesOf(text, dialect))).toBe(shown))

test('a text without marks stays as it is, and no text fails', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom<Dialect>('slack', 'discord', 'teams'),
      (text, dialect) => {
        const pieces = piecesOf(text, dialect)
        if (!/[`<*_~&\\[]|http/.test(text))
          expect(written(pieces)).toBe(
            dialect === 'teams' ? text.replaceAll(/\n\n+/g, '/').replaceAll('\n', ' ') : text.replaceAll('\n', '/'),
          )
      },
    ),
  )
})
