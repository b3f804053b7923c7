import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { pages, plainPages, type PageEntry } from '../console/paths/pages.ts'

interface SharedChunk {
  name: string
  /** Files of pages. */
  from: readonly string[]
  /** Files of pages, if only what both import is meant. */
  and?: readonly string[]
  /** Whether code that only parts loaded on demand share with these pages belongs to it too. */
  onDemand?: true
  /** Forms with MUI. Code that pages without MUI need is in `plainForms`. */
  withMui?: true
}

const chart = 'ui/chart/TimeSeriesChart.tsx'
const explorer = 'features/explorer/ExplorerPage.tsx'
const home = pages.home.file
const search = 'features/search/SearchPage.tsx'
const trace = 'features/search/TracePage.tsx'
const dashboard = 'features/dashboards/DashboardPage.tsx'
const rowsTile = 'features/dashboards/view/tiles/RowsTile.tsx'
/** Parts of the frame that every page of a connection loads after the first paint. */
const partsOfFrame = ['frame/FiringAlertsPoll.tsx', 'frame/SampleNotice.tsx']
const lists = ['features/alerts/AlertsPage.tsx', 'features/dashboards/DashboardsPage.tsx']
const telemetry = [explorer, search, trace, dashboard]
const alert = 'features/alerts/detail/AlertPage.tsx'
/** They draw charts too. */
const charted = [alert, 'features/pipes/PipePage.tsx', 'features/services/ServiceMetricsPage.tsx']
/** Pages with parts of many others, which are opened less often: they do not shape the chunks of the others. */
const apart =
  /^features\/((history|environments|promote|organization|team|people|storage|sql|dashboards\/shared)\/|pipes\/RightSizing)/
const records = plainPages()
  .filter((name) => name !== 'signIn')
  .map((name) => pages[name].file)
  .filter((file) => !telemetry.includes(file) && !charted.includes(file) && !apart.test(file))
const forms = (['newWebhook', 'editSource', 'editSavedSearch', 'editService'] as const).map((name) => pages[name].file)
/** Parts of the webhook form that share a little with the form of alerts, which they must not load with it. */
const webhookParts = ['features/webhooks/form/RequestPanel.tsx', 'features/webhooks/preview/MessagePreview.tsx']
/** These share a chart, or the way of showing progress, with pages that would load the others' parts with it. */
const sharing: readonly string[] = [pages.usage.file]
/** Their own parts are together, without MUI and with it: divided further, chunks would import each other. */
const organization = Object.values<PageEntry>(pages).filter(
  ({ file }) => file.startsWith('features/organization/') && !sharing.includes(file),
)
const organizationForms = organization.map(({ file }) => file)
const organizationLists = organization.flatMap(({ file, withMui }) => (withMui ? [] : [file]))

/**
 * Chunks with the code that pages share, each described by pages that need exactly that. A module belongs to the first
 * one whose pages import it, if another page imports it too: a page consists of the frame, itself and a few of these.
 */
const plan: readonly SharedChunk[] = [
  { name: 'base', from: [home, ...lists, ...partsOfFrame], and: [explorer, search] },
  { name: 'query', from: [dashboard], and: ['ui/base/useNearViewport.ts'] },
  // Apart from the lists, whose code the other pages have no use for.
  { name: 'watch', from: partsOfFrame, onDemand: true },
  { name: 'watch', from: [home, ...lists], and: ['charting/markers/MarkerLayer.tsx'] },
  { name: 'list', from: lists },
  // Shared by Home and Environments alone: too little for a file of its own.
  { name: 'list', from: [home], and: ['ui/useDrawnCount.ts', 'api/gateway/recentChanges.ts'], onDemand: true },
  // With those lists, and without what other pages of records have besides.
  { name: 'list', from: [home], and: records },
  // Which connections lead to one deployment.
  { name: 'list', from: [home], and: [pages.rotateApiKey.file], onDemand: true },
  { name: 'query', from: [explorer, chart], and: [...records, ...forms, trace], onDemand: true },
  { name: 'explore', from: [explorer], onDemand: true },
  // Charts load the marks of changes on demand, without what pages of records have besides.
  { name: 'marks', from: ['charting/markers/MarkerLayer.tsx'], onDemand: true },
  { name: 'record', from: [dashboard, search, trace], and: records },
  { name: 'explore', from: [dashboard], and: [alert, chart], onDemand: true },
  { name: 'charts', from: [chart], onDemand: true },
  { name: 'rows', from: [search], and: [trace] },
  { name: 'record', from: [search, trace] },
  { name: 'rows', from: [trace], onDemand: true },
  { name: 'rows', from: [search], and: [rowsTile], onDemand: true },
  { name: 'tiles', from: [dashboard], onDemand: true },
  // Before the chunks with MUI, which these pages do without.
  { name: 'plain', from: records },
  { name: 'plain', from: [alert], and: forms },
  { name: 'organization', from: organizationLists, onDemand: true },
  { name: 'plain', from: webhookParts, and: [alert], onDemand: true },
  { name: 'forms', from: webhookParts, and: ['features/alerts/EditAlertPage.tsx'], onDemand: true, withMui: true },
  // With what only their menus and dialogs share with them, or that would join a chunk with MUI.
  { name: 'alerts', from: [alert], onDemand: true },
  { name: 'pipes', from: ['features/pipes/PipePage.tsx'], onDemand: true },
  { name: 'people', from: [pages.people.file], and: [pages.account.file], onDemand: true },
  { name: 'forms', from: forms, withMui: true },
  // Too little for files of their own: a format of keys, and an icon.
  { name: 'forms', from: [pages.newWebhook.file], and: webhookParts, onDemand: true, withMui: true },
  { name: 'plainForms', from: ['frame/BreakGlassBar.tsx'], and: [pages.newWebhook.file], onDemand: true },
  { name: 'alertForms', from: ['features/alerts/EditAlertPage.tsx'], withMui: true },
  { name: 'organizationForms', from: organizationForms, onDemand: true, withMui: true },
]

export function sharedChunks(priority: number) {
  const chunks = new Map<string, string>()
  const plugin: Plugin = {
    name: 'shared-chunks',
    apply: 'build',
    buildEnd() {
      const ids = [...this.getModuleIds()]
      const icons = new Icons((id) => this.getModuleInfo(id)?.code ?? '')
      const importsOf = (id: string) => {
        const imported = this.getModuleInfo(id)?.importedIds ?? []
        return imported.flatMap((moduleId) => (isIconIndex(moduleId) ? icons.importedBy(id, moduleId) : moduleId))
      }
      const closure = (files: readonly string[]) => closureOf(startsOf(ids, files), importsOf)
      const files = new Set(Object.values(pages).flatMap(({ file }) => (apart.test(file) ? [] : file)))
      const ofPages = countUses([...files].map((file) => closure([file])))
      const parts = ids.filter((id) => (this.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0)
      const ofAll = countUses(parts.map((id) => closureOf([id], importsOf)))
      const plain = plainPages().map((name) => closure([pages[name].file]))
      const ofPlain = new Set(plain.flatMap((ids) => [...ids]))
      for (const { name, from, and = from, onDemand = false, withMui = false } of plan) {
        const also = closure(and)
        const uses = onDemand ? ofAll : ofPages
        for (const id of closure(from)) {
          if (!chunks.has(id) && also.has(id) && (uses.get(id) ?? 0) > 1) {
            chunks.set(id, withMui && ofPlain.has(id) ? 'plainForms' : name)
          }
        }
      }
      for (const id of closure(partsOfFrame)) if (!chunks.has(id)) chunks.set(id, 'watch')
    },
  }
  // In their order: a group takes what its modules import along with them.
  const names = [...new Set(plan.flatMap(({ name, withMui }) => (withMui ? ['plainForms', name] : name)))]
  const groups = names.map((name, at) => ({
    name,
    test: (id: string) => chunks.get(id) === name,
    priority: priority - at / names.length,
  }))
  return { plugin, groups }
}

const isIconIndex = (id: string) => id.endsWith('/lucide-react.mjs')

/** Which icons a module imports from the index of all icons. Otherwise every page would seem to use every icon. */
class Icons {
  #files: Map<string, string> | undefined

  readonly #codeOf: (id: string) => string

  constructor(codeOf: (id: string) => string) {
    this.#codeOf = codeOf
  }

  importedBy(id: string, index: string): string[] {
    this.#files ??= this.#filesOf(index)
    const names = [...this.#codeOf(id).matchAll(/import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g)].flatMap(
      ([, list = '']) => list.split(',').map((name) => name.trim().split(/\s+as\s+/)[0] ?? ''),
    )
    return names.flatMap((name) => this.#files?.get(name) ?? [])
  }

  /** The file of each name: `export { default as Bell } from './icons/bell.mjs'`. */
  #filesOf(index: string): Map<string, string> {
    const exported = this.#codeOf(index).matchAll(/export\s*\{([^}]*)\}\s*from\s*["']\.\/(icons\/[^"']+)["']/g)
    return new Map(
      [...exported].flatMap(([, names = '', file = '']) =>
        names.split(',').map((name) => [name.trim().split(/\s+/).at(-1) ?? '', join(dirname(index), file)] as const),
      ),
    )
  }
}

function countUses(closures: readonly Set<string>[]): Map<string, number> {
  const uses = new Map<string, number>()
  for (const ids of closures) for (const id of ids) uses.set(id, (uses.get(id) ?? 0) + 1)
  return uses
}

const startsOf = (ids: readonly string[], files: readonly string[]) =>
  ids.filter((id) => files.some((file) => id.endsWith(`/src/console/${file}`)))

function closureOf(starts: readonly string[], importsOf: (id: string) => readonly string[]): Set<string> {
  const found = new Set(starts)
  for (const id of found) for (const imported of importsOf(id)) found.add(imported)
  return found
}
