/** The pages of the observability stack. */
import { createRoute } from '@tanstack/react-router'
import { Bell, ChartSpline, Database, LayoutDashboard, Webhook } from 'lucide-react'
import type { Variant } from '#contract/kernel.ts'
import { queryKey } from '../api/queryClient.ts'
import { connection } from './frame.tsx'
import { page } from './page.ts'

const both: readonly Variant[] = ['openSource', 'managed']

const dashboardsRoute = createRoute({
  getParentRoute: () => connection,
  path: 'dashboards',
  staticData: {
    title: 'Dashboards',
    nav: { group: 'Stack', icon: LayoutDashboard, needs: { resource: 'dashboards', variants: both }, key: 'd' },
    creates: { title: 'New dashboard', search: { new: '1' }, changes: { resource: 'dashboards', variants: both } },
    showsSample: true,
  },
})

const dashboardsList = createRoute({
  getParentRoute: () => dashboardsRoute,
  path: '/',
  ...page(() => import('../features/dashboards/DashboardsPage.tsx')),
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
  ...page(() => import('../features/dashboards/DashboardPage.tsx')),
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
  ...page(() => import('../features/alerts/AlertsPage.tsx')),
})

const alertNew = createRoute({
  getParentRoute: () => alertsRoute,
  path: 'new',
  staticData: { title: 'New alert', creates: { changes: { resource: 'alerts', variants: both } } },
  ...page(() => import('../features/alerts/NewAlertPage.tsx')),
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
  ...page(() => import('../features/alerts/AlertPage.tsx')),
})

const alertEdit = createRoute({
  getParentRoute: () => alertRoute,
  path: 'edit',
  staticData: { title: 'Edit' },
  ...page(() => import('../features/alerts/EditAlertPage.tsx')),
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
  ...page(() => import('../features/sources/SourcesPage.tsx')),
})

const sourceNew = createRoute({
  getParentRoute: () => sourcesRoute,
  path: 'new',
  staticData: { title: 'New source', creates: { changes: { resource: 'sources', variants: ['openSource'] } } },
  ...page(() => import('../features/sources/NewSourcePage.tsx')),
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
  ...page(() => import('../features/sources/SourcePage.tsx')),
})

const sourceEdit = createRoute({
  getParentRoute: () => sourceRoute,
  path: 'edit',
  staticData: { title: 'Edit' },
  ...page(() => import('../features/sources/EditSourcePage.tsx')),
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
  ...page(() => import('../features/webhooks/WebhooksPage.tsx')),
})

const webhookNew = createRoute({
  getParentRoute: () => webhooksRoute,
  path: 'new',
  staticData: { title: 'New webhook', creates: { changes: { resource: 'webhooks', variants: ['openSource'] } } },
  ...page(() => import('../features/webhooks/NewWebhookPage.tsx')),
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
  ...page(() => import('../features/webhooks/WebhookPage.tsx')),
})

const webhookEdit = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'edit',
  staticData: { title: 'Edit' },
  ...page(() => import('../features/webhooks/EditWebhookPage.tsx')),
})

const explorerRoute = createRoute({
  getParentRoute: () => connection,
  path: 'explorer',
  staticData: {
    title: 'Explorer',
    nav: { group: 'Stack', icon: ChartSpline, needs: { resource: 'charts', variants: ['openSource'] }, key: 'e' },
    showsSample: true,
  },
  ...page(() => import('../features/explorer/ExplorerPage.tsx')),
})

export const stackRoutes = [
  dashboardsRoute.addChildren([dashboardsList, dashboardRoute]),
  alertsRoute.addChildren([alertsList, alertNew, alertRoute.addChildren([alertDetail, alertEdit])]),
  sourcesRoute.addChildren([sourcesList, sourceNew, sourceRoute.addChildren([sourceDetail, sourceEdit])]),
  webhooksRoute.addChildren([webhooksList, webhookNew, webhookRoute.addChildren([webhookDetail, webhookEdit])]),
  explorerRoute,
] as const
