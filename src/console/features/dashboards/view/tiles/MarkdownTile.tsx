import Box from '@mui/material/Box'
import { Markdown } from 'markdown-to-jsx/react'

/** Links go out in a tab of their own, and pictures stay links: a dashboard must not make the browser call anywhere. */
const overrides = {
  a: { props: { target: '_blank', rel: 'noopener noreferrer' } },
  img: { component: PictureLink },
  h1: { component: 'h3' as const },
  h2: { component: 'h3' as const },
  h4: { component: 'h3' as const },
}

function PictureLink({ src, alt }: { src?: string; alt?: string }) {
  return (
    <a href={src} target="_blank" rel="noopener noreferrer">
      {alt || src}
    </a>
  )
}

/** Text of a Markdown tile. HTML in it is shown as text. */
export function MarkdownTile({ text }: { text: string }) {
  return (
    <Box
      // Text that scrolls must be reached by the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="Text"
      sx={{
        overflow: 'auto',
        flexGrow: 1,
        px: 3,
        py: 1,
        overflowWrap: 'anywhere',
        '& h3': { fontSize: 15, mt: 1, mb: 1 },
        '& p, & ul, & ol': { my: 1.5 },
        '& a': { color: 'tone.accentText' },
        '& pre, & code': { fontFamily: 'monospace', fontSize: 12 },
        '& pre': { overflow: 'auto', p: 2, bgcolor: 'background.default', borderRadius: 1 },
        '& table': { borderCollapse: 'collapse' },
        '& th, & td': { border: 1, borderColor: 'divider', px: 1.5, py: 0.5 },
      }}
    >
      <Markdown options={{ disableParsingRawHTML: true, forceBlock: true, overrides }}>{text}</Markdown>
    </Box>
  )
}
