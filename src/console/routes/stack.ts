/** The pages of the observability stack. */
import { createRoute } from '@tanstack/react-router'
import { ChartSpline, Database, LayoutDashboard, Search } from 'lucide-react'
import type { Variant } from '#contract/wire/kernel.ts'
import { queryKey } from '../api/queryClient.ts'
import { stackPages } from '../shell/stackPages.ts'
import { connection } from './frame.tsx'
import { below, page, validIds } from './page.ts'
import { recordRoutes } from './record.ts'

const both: readonly Variant[] = ['openSource', 'managed']

const dashboardsRoute = createRoute({
  getParentRoute: () => connection,
  path: below('dashboards', 'connectionHome'),
  staticData: {
    title: 'Dashboards',
    nav: { group: 'Observe', icon: LayoutDashboard, needs: { resource: 'dashboards', variants: both }, key: 'd' },
    creates: { title: 'New dashboard', search: { new: '1' }, changes: { resource: 'dashboards', variants: both } },
  },
})

const dashboardsList = createRoute({ getParentRoute: () => dashboardsRoute, path: '/', ...page('dashboards') })

const dashboardRoute = createRoute({
  getParentRoute: () => dashboardsRoute,
  path: below('dashboard', 'dashboards'),
  params: { parse: (params) => validIds(params) },
  staticData: {
    title: 'Dashboard',
    record: ({ connectionId = '', dashboardId = '' }) =>
      queryKey(connectionId, { resource: 'dashboards', verb: 'get' }, { params: { dashboardId } }),
  },
})

const dashboardDetail = createRoute({ getParentRoute: () => dashboardRoute, path: '/', ...page('dashboard') })

const explorerRoute = createRoute({
  getParentRoute: () => connection,
  path: below('explorer', 'connectionHome'),
  staticData: {
    title: 'Explorer',
    nav: {
      group: 'Observe',
      section: 'Explorer',
      icon: ChartSpline,
      needs: { resource: 'charts', variants: ['openSource'], orElsewhere: true },
      key: 'e',
    },
  },
  ...page('explorer'),
})

const sqlRoute = createRoute({
  getParentRoute: () => connection,
  path: below('sql', 'connectionHome'),
  staticData: {
    title: 'SQL',
    nav: { section: 'Explorer', icon: Database, needs: { resource: 'sql', variants: both } },
  },
  ...page('sql'),
})

const savedStatementsRoute = createRoute({
  getParentRoute: () => connection,
  path: below('savedStatements', 'connectionHome'),
  staticData: {
    title: 'Saved statements',
    nav: { section: 'Explorer', icon: Database, needs: { resource: 'sql', variants: both } },
  },
  ...page('savedStatements'),
})

const searchRoute = createRoute({
  getParentRoute: () => connection,
  path: below('search', 'connectionHome'),
  staticData: {
    title: 'Search',
    nav: {
      group: 'Observe',
      section: 'Search',
      icon: Search,
      needs: { resource: 'search', variants: ['openSource'], orElsewhere: true },
      key: 'f',
    },
  },
  ...page('search'),
})

const traceRoute = createRoute({
  getParentRoute: () => connection,
  path: below('trace', 'connectionHome'),
  params: { parse: (params) => validIds(params) },
  staticData: { title: 'Trace', section: 'Search' },
  ...page('trace'),
})

export const stackRoutes = [
  dashboardsRoute.addChildren([dashboardsList, dashboardRoute.addChildren([dashboardDetail])]),
  // Before explorerRoute: their URLs begin with its URL.
  sqlRoute,
  savedStatementsRoute,
  explorerRoute,
  searchRoute,
  traceRoute,
  // Object.keys forgets the names.
  ...(Object.keys(stackPages) as (keyof typeof stackPages)[]).map((name) => recordRoutes(name, stackPages[name])),
] as const
