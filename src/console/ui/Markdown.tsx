import Box from '@mui/material/Box'
import { Markdown as MarkdownToJsx } from 'markdown-to-jsx/react'

/** Links open in a new tab, and images become links: a text must not make the browser send requests. */
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

/** Markdown of a user. HTML in it is shown as text. */
export function Markdown({ text }: { text: string }) {
  return (
    <Box
      sx={{
        overflowWrap: 'anywhere',
        '& h3': { fontSize: 15, mt: 1, mb: 1 },
        '& p, & ul, & ol': { my: 1.5 },
        '& > div > :first-of-type': { mt: 0 },
        '& a': { color: 'tone.accentText' },
        '& pre, & code': { fontFamily: 'monospace', fontSize: 12 },
        '& pre': { overflow: 'auto', p: 2, bgcolor: 'background.default', borderRadius: 1 },
        '& table': { borderCollapse: 'collapse' },
        '& th, & td': { border: 1, borderColor: 'divider', px: 1.5, py: 0.5 },
      }}
    >
      <MarkdownToJsx options={{ disableParsingRawHTML: true, forceBlock: true, overrides }}>{text}</MarkdownToJsx>
    </Box>
  )
}
