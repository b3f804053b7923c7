import { join } from 'node:path'
import type { AnyRoute } from '@tanstack/react-router'
import { describe, expect, test, vi } from 'vitest'
import { api, consoleEndpoints, type ResourceName } from '#contract/index.ts'
import { capitalized } from '#domain/text/words.ts'
import { fillPath, gatewayPath, type Endpoint } from '#contract/wire/kernel.ts'
import type { PageReads } from './api/queries.ts'
import { queryClient } from './api/queryClient.ts'
import { paths } from './paths/paths.ts'
import { destination, drawsSeveral, pages, telemetryUrls, type PageName } from './paths/pages.ts'
import { router } from './routes.tsx'
import { firingRead } from '#console/frame/FiringAlertsPoll.tsx'
import { sampleRead } from '#console/frame/SampleNotice.tsx'
import type { CreateData, NavData } from './shell/routeData.ts'

const routes: AnyRoute[] = Object.values(router.routesById)
// The keys of the table are the names.
const pageNames = Object.keys(pages) as PageName[]

test('every URL leads to a page', () => {
  for (const path of Object.values(paths)) {
    // Builders take up to three IDs: the sample has enough for each.
    const address = (path as (...ids: string[]) => string)('connection-1', 'thing-1', 'part-1')
    const [matched] = router.getMatchedRoutes(address)
    const route = matched.at(-1)
    expect(route?.id, address).not.toMatch(/^__root__$|\/\$$/)
    expect(route?.options.component ?? route?.options.beforeLoad, address).toBeDefined()
  }
})

test.each(['a b', '..%2F..', 'x'.repeat(129), 'ä'])('a record URL with the ID %j leads to the not-found page', (id) => {
  const encoded = id.includes('%') ? id : encodeURIComponent(id)
  for (const path of [paths.alert, paths.editWebhook, paths.dashboard, paths.service]) {
    const [matched] = router.getMatchedRoutes(path('connection-1', encoded))
    expect(matched.at(-1)?.id).toMatch(/\/\$$/)
  }
})

test('the navigation has the variants of the contract', () => {
  const entries = routes.flatMap((route): NavData[] => [route.options.staticData?.nav ?? []].flat())
  const needs = entries.flatMap((entry) => entry.needs ?? [])
  expect(needs.length).toBeGreaterThan(5)
  for (const { resource, variants } of needs) {
    const offered = new Set(Object.values(api[resource]).flatMap((endpoint) => endpoint.variants))
    expect(new Set(variants), resource).toEqual(offered)
  }
})

test('the create commands have the variants of the contract', () => {
  const created = routes.flatMap((route): CreateData[] => [route.options.staticData?.creates ?? []].flat())
  const changes = created.flatMap((createData) => createData.changes ?? [])
  const known: readonly ResourceName[] = [
    'dashboards',
    'alerts',
    'sources',
    'webhooks',
    'savedSearches',
    'services',
    'pipes',
    'apiKeys',
    'roles',
  ]
  expect(changes.map(({ resource }) => resource).filter((resource) => known.includes(resource))).toEqual(known)
  for (const { resource, variants } of changes) {
    const create = Object.values<Endpoint>(api[resource]).find(({ verb }) => verb === 'create')
    expect(variants, resource).toEqual(create?.variants)
  }
})

test('every page has a title', () => {
  for (const route of routes.filter(
    ({ fullPath, options }) => fullPath.startsWith('/c/$connectionId/') && options.component,
  )) {
    const chain: AnyRoute[] = []
    for (let at: AnyRoute | undefined = route; at; at = at.parentRoute) chain.push(at)
    expect(
      chain.some(({ options }) => options.staticData?.title),
      route.fullPath,
    ).toBe(true)
  }
})

test('no two pages share a key', () => {
  const keys = routes.flatMap((route) => route.options.staticData?.nav?.key ?? [])
  expect(new Set(keys).size).toBe(keys.length)
})

describe('list of pages', () => {
  /** A part that is loaded on demand, by its URL as the table has it. */
  const lazyComponent = new Map(
    routes.flatMap(({ fullPath, options }) =>
      options.component?.preload ? [[fullPath.replace(/(.)\/$/, '$1'), options.component]] : [],
    ),
  )

  test('has every page', () => {
    expect(lazyComponent.size).toBeGreaterThan(25)
    // The not-found pages have no URL.
    const drawn = [...lazyComponent.keys()].filter((url) => !url.endsWith('/$'))
    const urls: string[] = Object.values(pages).map(({ url }) => url)
    expect(drawn.filter((url) => !urls.includes(url))).toEqual([])
  })

  test.each(Object.entries(pages))('%s names the file that draws it', async (name, { url, file }) => {
    const component = lazyComponent.get(url)
    if (!component) {
      // Nothing is drawn there: they redirect to the dashboards, or to one of them.
      if (url === pages.linkedSearch.url) return expect(file).toBe(pages.search.file)
      const isOne = url === pages.linkedDashboard.url
      expect([pages.connectionHome.url, pages.linkedDashboard.url]).toContain(url)
      return expect(file).toBe(isOne ? pages.dashboard.file : pages.dashboards.file)
    }
    await component.preload?.()
    const page: Record<string, unknown> = await import(join(import.meta.dirname, file))
    const drawn = component({}).type
    // Within the surroundings of MUI, unless it is plain.
    const plain = Object.values(page).includes(drawn)
    const expected = page['default'] ?? page[`${capitalized(name)}Page`]
    return expect(plain ? drawn : drawn({}).props.children.type).toBe(expected)
  })
})

describe('reads of the pages', () => {
  const readable = consoleEndpoints.filter(({ method }) => method === 'GET')

  test.each(pageNames)('of %s are reads whose input is in its URL', async (name) => {
    const { file } = pages[name]
    const exported = await import(join(import.meta.dirname, file))
    const { reads }: { reads?: PageReads } = drawsSeveral(file) ? exported[`${capitalized(name)}Page`] : exported
    const endpoints = reads?.endpoints ?? []
    for (const read of endpoints) expect(readable).toContain(read)
    queryClient.clear()
    const requested: string[] = []
    vi.stubGlobal('fetch', (path: string) => {
      requested.push(path)
      return Promise.reject(new Error('offline'))
    })
    const params = Object.fromEntries(
      [...destination(pages[name].url).matchAll(/\$(\w+)/g)].map(([, one = '']) => [one, 'a-1']),
    )
    reads?.(params)
    await queryClient.fetchQuery({ queryKey: ['end'], queryFn: () => true })
    vi.unstubAllGlobals()
    expect(requested).toEqual(endpoints.map((read) => fillPath(gatewayPath(read), params)))
  })

  test('of the frame are reads of a connection', () => {
    for (const read of [firingRead, sampleRead]) {
      expect(readable).toContain(read)
      expect(read.path).not.toContain('{')
    }
  })
})

test('pages about telemetry show the notice of sample data', () => {
  expect(pageNames.filter((name) => telemetryUrls.has(pages[name].url))).toEqual([
    'dashboards',
    'dashboard',
    'alert',
    'search',
    'trace',
    'explorer',
    'sql',
  ])
  for (const url of telemetryUrls) {
    const [matched] = router.getMatchedRoutes(url.replace(/\$\w+/g, 'a-1'))
    expect(matched.map(({ fullPath }) => fullPath)).toContain(url)
  }
})
