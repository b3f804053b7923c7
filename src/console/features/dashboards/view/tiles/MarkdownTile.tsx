import { Markdown } from '#console/ui/Markdown.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import css from './MarkdownTile.module.css'

/** Text of a Markdown tile. */
export function MarkdownTile({ text }: { text: string }) {
  return (
    <ScrollRegion label="Text" className={css.markdownTile}>
      <Markdown text={text} />
    </ScrollRegion>
  )
}
