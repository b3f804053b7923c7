import Box from '@mui/material/Box'
import { Markdown } from '#console/ui/Markdown.tsx'

/** Text of a Markdown tile. */
export function MarkdownTile({ text }: { text: string }) {
  return (
    <Box
      // Text that scrolls must be reached by the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="Text"
      sx={{ overflow: 'auto', flexGrow: 1, px: 3, py: 1 }}
    >
      <Markdown text={text} />
    </Box>
  )
}
