import { join } from 'node:path'
import type { AnyRoute } from '@tanstack/react-router'
import { describe, expect, test, vi } from 'vitest'
import { api } from '#contract/index.ts'
import type { Endpoint } from '#contract/kernel.ts'
import { queryClient } from './api/queryClient.ts'
import { paths } from './paths/paths.ts'
import { frameReads, pages, type PageEntry } from './paths/pages.ts'
import { router } from './routes.tsx'
import type { Arrival, CreateData, NavData } from './shell/routeData.ts'

const routes: AnyRoute[] = Object.values(router.routesById)

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
  const changes = created.flatMap((one) => one.changes ?? [])
  expect(changes.map(({ resource }) => resource)).toEqual([
    'dashboards',
    'alerts',
    'sources',
    'webhooks',
    'savedSearches',
    'services',
    'pipes',
    'apiKeys',
    'roles',
  ])
  for (const { resource, variants } of changes) {
    const create = Object.values<Endpoint>(api[resource]).find(({ verb }) => verb === 'create')
    expect(variants, resource).toEqual(create?.variants)
  }
})

test('every page has a title', () => {
  for (const route of routes.filter((one) => one.fullPath.startsWith('/c/$connectionId/') && one.options.component)) {
    const chain: AnyRoute[] = []
    for (let at: AnyRoute | undefined = route; at; at = at.parentRoute) chain.push(at)
    expect(
      chain.some((one) => one.options.staticData?.title),
      route.fullPath,
    ).toBe(true)
  }
})

test('no two pages share a key', () => {
  const keys = routes.flatMap((route) => route.options.staticData?.nav?.key ?? [])
  expect(new Set(keys).size).toBe(keys.length)
})

describe('list of pages', () => {
  /** What is loaded on demand, by its URL as the table has it. */
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

  test.each(Object.values(pages))('names the file that draws $url: $file', async ({ url, file }) => {
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
    return expect(Object.values(page)).toContain(plain ? drawn : drawn({}).props.children.type)
  })
})

describe('reads of the pages', () => {
  const nameOf = ({ resource, verb }: Endpoint) => `${resource}.${verb}`
  const readable = Object.values(api)
    .flatMap((resource) => Object.values<Endpoint>(resource))
    .filter(({ method }) => method === 'GET')

  test.each(Object.values<PageEntry>(pages))('of $url are those of its file', async ({ url, file, reads = [] }) => {
    const { reads: start }: { reads?: (params: Record<string, string>, arrival: Arrival) => unknown } = await import(
      join(import.meta.dirname, file)
    )
    queryClient.clear()
    vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')))
    const params = Object.fromEntries([...url.matchAll(/\$(\w+)/g)].map(([, name = '']) => [name, 'a-1']))
    start?.(params, { search: '', entered: false })
    const started = queryClient.getQueryCache().getAll()
    vi.unstubAllGlobals()
    // The URL of the others names no connection to read from.
    const names = started.flatMap(({ queryKey: [connectionId, resource, verb] }) =>
      connectionId === 'a-1' ? [`${String(resource)}.${String(verb)}`] : [],
    )
    expect(reads).toEqual(url.startsWith('/c/$connectionId/') ? names : [])
    for (const read of reads) expect(readable.map(nameOf)).toContain(read)
  })

  test.each(Object.values<PageEntry>(pages))('of the frame on $url are those of its route', ({ url, showsSample }) => {
    if (!url.startsWith('/c/$connectionId/')) return expect(showsSample).toBeUndefined()
    const [matched] = router.getMatchedRoutes(url.replace(/\$\w+/g, 'a-1'))
    return expect(matched.some(({ options }) => options.staticData?.showsSample)).toBe(showsSample ?? false)
  })

  test('of the frame are read on every page of a connection', () => {
    for (const read of Object.values(frameReads).flat()) expect(readable.map(nameOf)).toContain(read)
  })
})
