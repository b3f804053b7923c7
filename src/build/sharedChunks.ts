import type { Plugin } from 'vite'
import { pages } from '../console/paths/pages.ts'
import { plainPages } from '../console/paths/plainPages.ts'

/**
 * Chunks with the code that pages share, each described by a page that needs exactly that. A module belongs to the first
 * one whose page imports it, if another page imports it too: a page consists of the frame, itself and a few of these.
 */
const plan = [
  { name: 'list', from: ['features/alerts/AlertsPage.tsx'] },
  { name: 'dashboards', from: ['features/dashboards/DashboardsPage.tsx'] },
  // Before the chunks with MUI, which these pages do without.
  { name: 'plain', from: [...plainPages].map((name) => pages[name].file) },
  { name: 'charts', from: ['features/explorer/ExplorerPage.tsx'] },
  { name: 'forms', from: ['features/alerts/EditAlertPage.tsx'] },
] as const

/** Parts of the frame that every page of a connection loads after the first paint. They come with the lists. */
const partsOfFrame = ['shell/frame/FiringAlertsPoll.tsx', 'shell/frame/SampleNotice.tsx']

export function sharedChunks(priority: number) {
  const chunks = new Map<string, string>()
  const plugin: Plugin = {
    name: 'shared-chunks',
    apply: 'build',
    buildEnd() {
      const ids = [...this.getModuleIds()]
      const importsOf = (id: string) => this.getModuleInfo(id)?.importedIds ?? []
      const closure = (files: readonly string[]) => closureOf(startsOf(ids, files), importsOf)
      const files = [...new Set(Object.values(pages).map(({ file }) => file))]
      const uses = new Map<string, number>()
      for (const file of files) for (const id of closure([file])) uses.set(id, (uses.get(id) ?? 0) + 1)
      for (const id of closure(partsOfFrame)) chunks.set(id, 'list')
      for (const { name, from } of plan) {
        for (const id of closure(from)) if (!chunks.has(id) && (uses.get(id) ?? 0) > 1) chunks.set(id, name)
      }
    },
  }
  // In their order: a group takes what its modules import along with them.
  const groups = plan.map(({ name }, at) => ({
    name,
    test: (id: string) => chunks.get(id) === name,
    priority: priority - at / plan.length,
  }))
  return { plugin, groups }
}

const startsOf = (ids: readonly string[], files: readonly string[]) =>
  ids.filter((id) => files.some((file) => id.endsWith(`/src/console/${file}`)))

function closureOf(starts: readonly string[], importsOf: (id: string) => readonly string[]): Set<string> {
  const found = new Set(starts)
  for (const id of found) for (const imported of importsOf(id)) found.add(imported)
  return found
}
