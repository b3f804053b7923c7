import { Visitor, type Plugin } from 'vite'
import { pages } from '../console/paths/pages.ts'
import { withEdits, type Edit } from './pageContract.ts'

/** Fields of the table that only the build reads (`pageManifest.ts`). */
const buildOnly = ['reads', 'parts', 'showsSample']

/** How `routes/page.ts` finds the code of pages. */
const lookup = "import.meta.glob<PageModule>('../features/**/*Page.tsx')"

const files = [...new Set(Object.values(pages).map(({ file }) => file as string))]

/**
 * Makes the page's copy of the table of pages small: without what only the build reads, and with the number of each file
 * instead of its name, which the frame would have twice.
 */
export function pageTable(): Plugin[] {
  return [
    {
      name: 'page-table',
      apply: 'build',
      transform: {
        filter: { id: /\/src\/console\/paths\/pages\.ts$/ },
        handler(code) {
          const edits: Edit[] = []
          new Visitor({
            Property({ key, value: { start, end } }) {
              if (key.type !== 'Identifier') return
              if (buildOnly.includes(key.name)) {
                const comma = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0
                edits.push({ start: key.start, end: end + comma, text: '' })
              }
              if (key.name === 'file')
                edits.push({ start, end, text: String(files.indexOf(code.slice(start + 1, end - 1))) })
            },
          }).visit(this.parse(code))
          return { code: withEdits(code, edits), map: null }
        },
      },
    },
    {
      name: 'page-files',
      apply: 'build',
      enforce: 'pre',
      transform: {
        filter: { id: /\/src\/console\/routes\/page\.ts$/ },
        handler(code) {
          if (!code.includes(lookup)) throw new Error('routes/page.ts finds the code of pages in another way.')
          const loads = files.flatMap((file, at) =>
            file.startsWith('features/') ? [`'../${at}': () => import(${JSON.stringify(`../${file}`)})`] : [],
          )
          return {
            code: code.replace(lookup, `({ ${loads.join(', ')} } as Record<string, () => Promise<PageModule>>)`),
            map: null,
          }
        },
      },
    },
  ]
}
