import { Markdown as MarkdownToJsx } from 'markdown-to-jsx/react'
import * as css from './ui.module.css'

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
    <div className={css.markdown}>
      <MarkdownToJsx options={{ disableParsingRawHTML: true, forceBlock: true, overrides }}>{text}</MarkdownToJsx>
    </div>
  )
}
