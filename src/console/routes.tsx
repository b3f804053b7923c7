/** The whole tree of addresses. A route says its title and navigation; its page and its code come with the first visit. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { Bell, ChartSpline, Database, LayoutDashboard, Network, Server, Webhook, Workflow } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Variant } from '#contract/kernel.ts'
import { connectionsQuery } from './api/connections.ts'
import { queryClient, queryKey } from './api/queryClient.ts'
import { sessionQuery } from './api/session.ts'
import { paths } from './paths.ts'
import { ConnectionScope } from './shell/connection.tsx'
import { Frame } from './shell/Frame.tsx'
import { hasLinkToken } from './shell/linkToken.ts'
import { PendingPage } from './shell/PendingPage.tsx'
import { stored } from './shell/stored.ts'
import { parseSearch, stringifySearch } from './shell/urlState.ts'

/** What a page's file exports: the page, and the reads that it will want. */
interface PageModule {
  default: ComponentType
  reads?: (params: Record<string, string>) => unknown
}

/**
 * A page whose code comes with the first visit. Its reads start as soon as the code is there, on the way to it or when
 * a link is pointed at, and nobody waits for them: the page draws its own outline, then its data.
 */
function page(load: () => Promise<PageModule>) {
  return {
    loader: async ({ params }: { params: Record<string, string> }) => {
      const { reads } = await load()
      reads?.(params)
    },
    // A search or a filter in the address is no arrival: what was read for the page stays.
    shouldReload: ({ cause }: { cause: 'preload' | 'enter' | 'stay' }) => cause !== 'stay',
    component: lazyRouteComponent(load),
  }
}

const both: readonly Variant[] = ['openSource', 'managed']

const NotFoundPage = lazyRouteComponent(() => import('./shell/pages.tsx'), 'NotFoundPage')
const StrayPage = lazyRouteComponent(() => import('./shell/pages.tsx'), 'StrayPage')

const root = createRootRoute({ component: Outlet, notFoundComponent: StrayPage })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => hasLinkToken() || queryClient.ensureQueryData(sessionQuery),
  component: lazyRouteComponent(() => import('./shell/SignInPage.tsx'), 'SignInPage'),
})

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (!session.signedIn) throw redirect({ to: paths.signIn(), search: { next: location.href } })
  },
  loader: () => queryClient.ensureQueryData(connectionsQuery),
  component: Frame,
})

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: async () => {
    const connections = await queryClient.ensureQueryData(connectionsQuery)
    const last = connections.find((one) => one.id === stored().connectionId) ?? connections[0]
    throw redirect({ to: last ? paths.dashboards(last.id) : paths.connections(), replace: true })
  },
})

const connection = createRoute({
  getParentRoute: () => frame,
  path: '/c/$connectionId',
  component: ConnectionScope,
})

const connectionHome = createRoute({
  getParentRoute: () => connection,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: paths.dashboards(params.connectionId), replace: true })
  },
})

const dashboardsRoute = createRoute({
  getParentRoute: () => connection,
  path: 'dashboards',
  staticData: {
    title: 'Dashboards',
    nav: { group: 'Stack', icon: LayoutDashboard, needs: { resource: 'dashboards', variants: both }, key: 'd' },
    showsSample: true,
  },
})

const dashboardsList = createRoute({
  getParentRoute: () => dashboardsRoute,
  path: '/',
  ...page(() => import('./features/dashboards/DashboardsPage.tsx')),
})

const dashboardRoute = createRoute({
  getParentRoute: () => dashboardsRoute,
  path: '$dashboardId',
  staticData: {
    title: 'Dashboard',
    record: ({ connectionId = '', dashboardId = '' }) =>
      queryKey(connectionId, { resource: 'dashboards', verb: 'get' }, { params: { dashboardId } }),
    showsSample: true,
  },
  ...page(() => import('./features/dashboards/DashboardPage.tsx')),
})

const alertsRoute = createRoute({
  getParentRoute: () => connection,
  path: 'alerts',
  staticData: {
    title: 'Alerts',
    nav: { group: 'Stack', icon: Bell, needs: { resource: 'alerts', variants: both }, key: 'a' },
  },
})

const alertsList = createRoute({
  getParentRoute: () => alertsRoute,
  path: '/',
  ...page(() => import('./features/alerts/AlertsPage.tsx')),
})

const alertNew = createRoute({
  getParentRoute: () => alertsRoute,
  path: 'new',
  staticData: { title: 'New alert' },
  ...page(() => import('./features/alerts/NewAlertPage.tsx')),
})

const alertRoute = createRoute({
  getParentRoute: () => alertsRoute,
  path: '$alertId',
  staticData: {
    title: 'Alert',
    record: ({ connectionId = '', alertId = '' }) =>
      queryKey(connectionId, { resource: 'alerts', verb: 'get' }, { params: { alertId } }),
  },
})

const alertDetail = createRoute({
  getParentRoute: () => alertRoute,
  path: '/',
  ...page(() => import('./features/alerts/AlertPage.tsx')),
})

const alertEdit = createRoute({
  getParentRoute: () => alertRoute,
  path: 'edit',
  staticData: { title: 'Edit' },
  ...page(() => import('./features/alerts/EditAlertPage.tsx')),
})

const sourcesRoute = createRoute({
  getParentRoute: () => connection,
  path: 'sources',
  staticData: {
    title: 'Sources',
    nav: { group: 'Stack', icon: Database, needs: { resource: 'sources', variants: both }, key: 's' },
  },
})

const sourcesList = createRoute({
  getParentRoute: () => sourcesRoute,
  path: '/',
  ...page(() => import('./features/sources/SourcesPage.tsx')),
})

const sourceNew = createRoute({
  getParentRoute: () => sourcesRoute,
  path: 'new',
  staticData: { title: 'New source' },
  ...page(() => import('./features/sources/NewSourcePage.tsx')),
})

const sourceRoute = createRoute({
  getParentRoute: () => sourcesRoute,
  path: '$sourceId',
  staticData: {
    title: 'Source',
    record: ({ connectionId = '' }) => queryKey(connectionId, { resource: 'sources', verb: 'list' }, {}),
  },
})

const sourceDetail = createRoute({
  getParentRoute: () => sourceRoute,
  path: '/',
  ...page(() => import('./features/sources/SourcePage.tsx')),
})

const sourceEdit = createRoute({
  getParentRoute: () => sourceRoute,
  path: 'edit',
  staticData: { title: 'Edit' },
  ...page(() => import('./features/sources/EditSourcePage.tsx')),
})

const webhooksRoute = createRoute({
  getParentRoute: () => connection,
  path: 'webhooks',
  staticData: {
    title: 'Webhooks',
    nav: { group: 'Stack', icon: Webhook, needs: { resource: 'webhooks', variants: ['openSource'] }, key: 'w' },
  },
})

const webhooksList = createRoute({
  getParentRoute: () => webhooksRoute,
  path: '/',
  ...page(() => import('./features/webhooks/WebhooksPage.tsx')),
})

const webhookNew = createRoute({
  getParentRoute: () => webhooksRoute,
  path: 'new',
  staticData: { title: 'New webhook' },
  ...page(() => import('./features/webhooks/NewWebhookPage.tsx')),
})

const webhookRoute = createRoute({
  getParentRoute: () => webhooksRoute,
  path: '$webhookId',
  staticData: {
    title: 'Webhook',
    record: ({ connectionId = '' }) => queryKey(connectionId, { resource: 'webhooks', verb: 'list' }, {}),
  },
})

const webhookDetail = createRoute({
  getParentRoute: () => webhookRoute,
  path: '/',
  ...page(() => import('./features/webhooks/WebhookPage.tsx')),
})

const webhookEdit = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'edit',
  staticData: { title: 'Edit' },
  ...page(() => import('./features/webhooks/EditWebhookPage.tsx')),
})

const explorerRoute = createRoute({
  getParentRoute: () => connection,
  path: 'explorer',
  staticData: {
    title: 'Explorer',
    nav: { group: 'Stack', icon: ChartSpline, needs: { resource: 'charts', variants: ['openSource'] }, key: 'e' },
    showsSample: true,
  },
  ...page(() => import('./features/explorer/ExplorerPage.tsx')),
})

const servicesRoute = createRoute({
  getParentRoute: () => connection,
  path: 'services',
  staticData: {
    title: 'Services',
    nav: { group: 'Cloud', icon: Server, needs: { resource: 'services', variants: ['managed'] }, key: 'v' },
  },
})

const servicesList = createRoute({
  getParentRoute: () => servicesRoute,
  path: '/',
  ...page(() => import('./features/services/ServicesPage.tsx')),
})

const serviceRoute = createRoute({
  getParentRoute: () => servicesRoute,
  path: '$serviceId',
  staticData: {
    title: 'Service',
    record: ({ connectionId = '', serviceId = '' }) =>
      queryKey(connectionId, { resource: 'services', verb: 'get' }, { params: { serviceId } }),
  },
})

const serviceDetail = createRoute({
  getParentRoute: () => serviceRoute,
  path: '/',
  ...page(() => import('./features/services/ServicePage.tsx')),
})

const serviceEdit = createRoute({
  getParentRoute: () => serviceRoute,
  path: 'edit',
  staticData: { title: 'Edit' },
  ...page(() => import('./features/services/EditServicePage.tsx')),
})

const serviceScaling = createRoute({
  getParentRoute: () => serviceRoute,
  path: 'scaling',
  staticData: { title: 'Scaling' },
  ...page(() => import('./features/services/ServiceScalingPage.tsx')),
})

const servicePipeSize = createRoute({
  getParentRoute: () => serviceRoute,
  path: 'pipe-size',
  staticData: { title: 'Size of the database pipes' },
  ...page(() => import('./features/pipes/PipeSizePage.tsx')),
})

const pipesRoute = createRoute({
  getParentRoute: () => connection,
  path: 'pipes',
  staticData: {
    title: 'Data pipes',
    nav: { group: 'Cloud', icon: Workflow, needs: { resource: 'pipes', variants: ['managed'] }, key: 'p' },
  },
})

const pipesList = createRoute({
  getParentRoute: () => pipesRoute,
  path: '/',
  ...page(() => import('./features/pipes/PipesPage.tsx')),
})

const pipeNew = createRoute({
  getParentRoute: () => pipesRoute,
  path: 'new',
  staticData: { title: 'New data pipe' },
  ...page(() => import('./features/pipes/NewPipePage.tsx')),
})

const pipeRoute = createRoute({
  getParentRoute: () => pipesRoute,
  path: '$serviceId/$dataPipeId',
  staticData: {
    title: 'Data pipe',
    record: ({ connectionId = '', serviceId = '', dataPipeId = '' }) =>
      queryKey(connectionId, { resource: 'pipes', verb: 'get' }, { params: { serviceId, dataPipeId } }),
  },
})

const pipeDetail = createRoute({
  getParentRoute: () => pipeRoute,
  path: '/',
  ...page(() => import('./features/pipes/PipePage.tsx')),
})

const pipeEdit = createRoute({
  getParentRoute: () => pipeRoute,
  path: 'edit',
  staticData: { title: 'Edit' },
  ...page(() => import('./features/pipes/EditPipePage.tsx')),
})

const pipeScaling = createRoute({
  getParentRoute: () => pipeRoute,
  path: 'scaling',
  staticData: { title: 'Scaling' },
  ...page(() => import('./features/pipes/PipeScalingPage.tsx')),
})

const pipeSettings = createRoute({
  getParentRoute: () => pipeRoute,
  path: 'settings',
  staticData: { title: 'Settings' },
  ...page(() => import('./features/pipes/PipeSettingsPage.tsx')),
})

const connectionsRoute = createRoute({
  getParentRoute: () => frame,
  path: '/connections',
  staticData: { title: 'Connections', nav: { group: 'Console', icon: Network, key: 'c' } },
})

const connectionsList = createRoute({
  getParentRoute: () => connectionsRoute,
  path: '/',
  ...page(() => import('./features/connections/ConnectionsPage.tsx')),
})

const connectionNew = createRoute({
  getParentRoute: () => connectionsRoute,
  path: 'new',
  staticData: { title: 'New connection' },
  ...page(() => import('./features/connections/NewConnectionPage.tsx')),
})

const connectionEdit = createRoute({
  getParentRoute: () => connectionsRoute,
  path: '$connectionId/edit',
  staticData: { title: 'Edit connection' },
  ...page(() => import('./features/connections/EditConnectionPage.tsx')),
})

const tree = root.addChildren([
  signIn,
  frame.addChildren([
    home,
    connection.addChildren([
      connectionHome,
      dashboardsRoute.addChildren([dashboardsList, dashboardRoute]),
      alertsRoute.addChildren([alertsList, alertNew, alertRoute.addChildren([alertDetail, alertEdit])]),
      sourcesRoute.addChildren([sourcesList, sourceNew, sourceRoute.addChildren([sourceDetail, sourceEdit])]),
      webhooksRoute.addChildren([webhooksList, webhookNew, webhookRoute.addChildren([webhookDetail, webhookEdit])]),
      explorerRoute,
      servicesRoute.addChildren([
        servicesList,
        serviceRoute.addChildren([serviceDetail, serviceEdit, serviceScaling, servicePipeSize]),
      ]),
      pipesRoute.addChildren([
        pipesList,
        pipeNew,
        pipeRoute.addChildren([pipeDetail, pipeEdit, pipeScaling, pipeSettings]),
      ]),
    ]),
    connectionsRoute.addChildren([connectionsList, connectionNew, connectionEdit]),
  ]),
])

export const router = createRouter({
  routeTree: tree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: lazyRouteComponent(() => import('./shell/BrokenPage.tsx'), 'BrokenPage'),
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: false,
})
