import type { ReactNode } from 'react'
import { visibleSentence } from '#domain/text/visibleText.ts'

/** Content with the invisible characters of its texts shown. Elements in it are left to themselves. */
export function visible(content: ReactNode): ReactNode {
  if (Array.isArray(content)) return content.map(visible)
  return typeof content === 'string' ? visibleSentence(content) : content
}
