/**
 * The routes around every page: the sign-in, the page of a shared link for people without an account, the frame, and
 * the connection that the URL names.
 */
import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { basePath } from '../api/document/basePath.ts'
import { connectionsQuery } from '../api/connections.ts'
import { queryClient } from '../api/queryClient.ts'
import { currentSession, sessionQuery } from '../api/session.ts'
import { ConnectionScope } from '#console/frame/ConnectionScope.tsx'
import { paths } from '../paths/paths.ts'
import { pages } from '../paths/pages.ts'
import { Frame } from '#console/frame/Frame.tsx'
import { hasLinkToken } from '../shell/session/linkToken.ts'
import { isOwnPath } from '../shell/session/providerReturn.ts'
import { browserSettings } from '../shell/browserSettings.ts'
import { page } from './page.ts'

export const root = createRootRoute({ component: Outlet })

export const signIn = createRoute({
  getParentRoute: () => root,
  path: pages.signIn.url,
  beforeLoad: async ({ search: { next } }: { search: { next?: string } }) => {
    // A link, an invitation or a provider's answer signs in, whoever was signed in before.
    if (hasLinkToken() || !(await currentSession()).signedIn) return
    const to = next !== undefined && isOwnPath(next) ? next : paths.home()
    throw redirect({ href: basePath + to, replace: true })
  },
  component: lazyRouteComponent(() => import('../shell/session/SignInPage.tsx'), 'SignInPage'),
})

export const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (!session.signedIn) throw redirect({ to: paths.signIn(), search: { next: location.href } })
  },
  loader: () => queryClient.ensureQueryData(connectionsQuery),
  component: Frame,
})

export const linkedDashboard = createRoute({
  getParentRoute: () => frame,
  path: pages.linkedDashboard.url,
  beforeLoad: async ({ params: { dashboardId }, search }) => {
    const last = await lastConnection()
    throw redirect({ to: last ? paths.dashboard(last.id, dashboardId) : paths.connections(), search, replace: true })
  },
})

export const linkedSearch = createRoute({
  getParentRoute: () => frame,
  path: pages.linkedSearch.url,
  beforeLoad: async ({ params: { savedSearchId }, search }) => {
    const last = await lastConnection()
    const to = last ? paths.search(last.id) : paths.connections()
    throw redirect({ to, search: { ...search, saved: savedSearchId }, replace: true })
  },
})

/** The connection that was open last, or the first one. */
async function lastConnection() {
  const connections = await queryClient.ensureQueryData(connectionsQuery)
  return connections.find(({ id }) => id === browserSettings().connectionId) ?? connections[0]
}

export const connection = createRoute({
  getParentRoute: () => frame,
  path: pages.connectionHome.url,
  component: ConnectionScope,
})

export const connectionHome = createRoute({
  getParentRoute: () => connection,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: paths.dashboards(params.connectionId), replace: true })
  },
})

/** URLs of no page: the not-found page, inside the frame, with the connection that the URL names. */
const notFound = {
  path: '$',
  staticData: { title: 'Not found' },
  component: lazyRouteComponent(() => import('../shell/fallbacks/pages.tsx'), 'NotFoundPage'),
}
export const frameNotFound = createRoute({ getParentRoute: () => frame, ...notFound })
export const connectionNotFound = createRoute({ getParentRoute: () => connection, ...notFound })

export const sharedRoute = createRoute({ getParentRoute: () => root, path: pages.shared.url, ...page('shared') })
