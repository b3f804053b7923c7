import type { ReactNode } from 'react'
import { piecesOf, type Dialect, type Piece } from './markup.ts'
import * as css from '../webhooks.module.css'

/** A text as its receiver shows it. Links lead nowhere: nothing was sent. */
export function Marked({ text, dialect }: { text: string; dialect: Dialect }) {
  return <>{piecesOf(text, dialect).map(drawn)}</>
}

function drawn(piece: Piece, at: number): ReactNode {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'break':
      return <br key={at} />
    case 'code':
      return <code key={at}>{piece.text}</code>
    case 'block':
      return (
        <span key={at} className={css.previewBlock}>
          {piece.text}
        </span>
      )
    case 'bold':
      return <strong key={at}>{piece.pieces.map(drawn)}</strong>
    case 'italic':
      return <em key={at}>{piece.pieces.map(drawn)}</em>
    case 'strike':
      return <s key={at}>{piece.pieces.map(drawn)}</s>
    case 'link':
      return (
        <span key={at} className={css.previewLink}>
          {piece.pieces.map(drawn)}
        </span>
      )
  }
}
