import { Markdown } from '#console/ui/Markdown.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'

/** Text of a Markdown tile. */
export function MarkdownTile({ text }: { text: string }) {
  return (
    <ScrollRegion label="Text" sx={{ flexGrow: 1, px: 3, py: 1 }}>
      <Markdown text={text} />
    </ScrollRegion>
  )
}
