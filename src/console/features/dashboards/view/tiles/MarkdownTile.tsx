import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import * as css from './tiles.module.css'

const Markdown = lazyComponent(async () => (await import('#console/ui/Markdown.tsx')).Markdown)

/** Text of a Markdown tile. */
export function MarkdownTile({ text }: { text: string }) {
  return (
    <ScrollRegion label="Text" className={css.markdownTile}>
      <Markdown text={text} />
    </ScrollRegion>
  )
}
