/** The route tree. A route has its title and navigation; the code of its page is loaded on the first visit. */
import { createRouter } from '@tanstack/react-router'
import { basePath } from './api/document/basePath.ts'
import { cloudRoutes } from './routes/cloud.ts'
import {
  connectionRoutes,
  accountRoute,
  agentsRoute,
  peopleRoute,
  auditRoute,
  sessionsRoute,
  settingsRoute,
} from './routes/console.ts'
import { changeRequestRoutes, environmentsRoute, historyRoute, promoteRoute, homeRoute } from './routes/environments.ts'
import {
  connection,
  connectionHome,
  connectionNotFound,
  frame,
  frameNotFound,
  linkedDashboard,
  linkedSearch,
  root,
  signIn,
  sharedRoute,
} from './routes/frame.tsx'
import { organizationRoutes } from './routes/organization.ts'
import { stackRoutes } from './routes/stack.ts'
import { teamRoutes } from './routes/team.ts'
import { PageError } from './shell/fallbacks/PageError.tsx'
import { PendingPage } from './shell/fallbacks/PendingPage.tsx'
import { parseSearch, stringifySearch } from './shell/urlState.ts'

const tree = root.addChildren([
  signIn,
  sharedRoute,
  frame.addChildren([
    homeRoute,
    linkedDashboard,
    linkedSearch,
    environmentsRoute,
    connection.addChildren([
      connectionHome,
      ...stackRoutes,
      ...teamRoutes,
      ...cloudRoutes,
      ...organizationRoutes,
      historyRoute,
      connectionNotFound,
    ]),
    promoteRoute,
    changeRequestRoutes,
    connectionRoutes,
    peopleRoute,
    accountRoute,
    agentsRoute,
    sessionsRoute,
    auditRoute,
    settingsRoute,
    frameNotFound,
  ]),
])

export const router = createRouter({
  routeTree: tree,
  basepath: basePath || '/',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: PageError,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
