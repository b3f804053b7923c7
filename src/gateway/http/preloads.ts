/** Which files a page needs besides those of index.html, as the build found out. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const file = z.record(z.string(), z.array(z.string().regex(/^\/[\w./-]+$/)))

/** Segments of an address, `$name` standing for any one. */
type Template = readonly string[]

/** Answers, for a path such as `/c/local/alerts`, the links that have a browser fetch the page's chunks at once. */
export function readPreloads(distDir: string): (path: string) => string {
  const path = join(distDir, '.preloads.json')
  const found = existsSync(path) ? file.parse(JSON.parse(readFileSync(path, 'utf8'))) : {}
  const pages = Object.entries(found)
    .map(([address, files]) => ({ template: segments(address), links: files.map(link).join('') }))
    .toSorted((a, b) => parameters(a.template) - parameters(b.template))
  return (asked) => pages.find(({ template }) => matches(template, segments(asked)))?.links ?? ''
}

const segments = (path: string): Template => path.split('/').filter((segment) => segment !== '')
const parameters = (template: Template) => template.filter((segment) => segment.startsWith('$')).length
const link = (href: string) => `<link rel="modulepreload" crossorigin href="${href}">`

function matches(template: Template, asked: Template): boolean {
  return (
    template.length === asked.length &&
    template.every((segment, at) => segment.startsWith('$') || segment === asked[at])
  )
}
