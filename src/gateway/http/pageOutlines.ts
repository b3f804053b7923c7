/** How a page looks before its data, as drawn by the build (`src/build/prerender.ts`): part of its document. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Connection } from '#contract/connections.ts'
import { asAttribute } from './htmlText.ts'

const button = z.object({ connection: z.string(), writes: z.string(), rules: z.array(z.string()) })
const outlines = z.object({
  rules: z.record(z.string(), z.string()),
  /** By URL; then by variant and width. */
  pages: z.record(z.string(), z.record(z.string(), z.object({ html: z.string(), rules: z.array(z.string()) }))),
  /** The buttons of the connection, by variant, stage, and whether it is read-only. */
  connections: z.record(z.string(), button),
})

/** The connection in the outlines, as in `src/build/prerender.ts`. */
const placeholder = { id: 'connection-placeholder', name: '__CONNECTION_NAME__', stage: '--stage-local' }
const widths = ['wide', 'narrow', 'phone']

export interface PageOutline {
  /** Rules for the head. */
  css: string
  html: string
}

const none: PageOutline = { css: '', html: '' }

/** @returns a function from the URL of a page and its connection to its outline */
export function readPageOutlines(distDir: string): (url: string, connection?: Connection) => PageOutline {
  const path = join(distDir, '.outlines.json')
  if (!existsSync(path)) return () => none
  const { rules, pages, connections } = outlines.parse(JSON.parse(readFileSync(path, 'utf8')))
  return (url, connection) => {
    const drawn = pages[url]
    const named = connection
      ? connections[`${connection.variant} ${connection.stage} ${connection.readOnly}`]
      : { connection: '', writes: '', rules: [] }
    if (!drawn || !named) return none
    const variant = connection?.variant ?? 'openSource'
    const parts = widths.flatMap((width) => {
      const part = drawn[`${variant} ${width}`]
      return part ? [{ width, ...part }] : []
    })
    const ids = new Set([...parts.flatMap((part) => part.rules), ...named.rules])
    // In their own order: later ones override.
    const css = Object.entries(rules)
      .map(([id, rule]) => (ids.has(id) ? rule : ''))
      .join('')
    const html = parts.map(
      (part) =>
        // Nothing in it can be used yet.
        `<div class="outline" data-width="${part.width}" inert aria-hidden="true">${part.html
          .replace('<!--connection-->', () => named.connection)
          .replace('<!--writes-->', () => named.writes)}</div>`,
    )
    return {
      css: css.replaceAll(placeholder.stage, `--stage-${connection?.stage ?? 'none'}`),
      html: filled(html.join(''), connection),
    }
  }
}

function filled(html: string, connection: Connection | undefined): string {
  const { id = '', name = '' } = connection ?? {}
  return html.replace(new RegExp(`${placeholder.id}|${placeholder.name}`, 'g'), (found) =>
    asAttribute(found === placeholder.id ? id : name),
  )
}
