import type { PageName } from './pages.ts'

/** Pages that are drawn without MUI: it is loaded with their first menu or dialog. Lists, details, search, explorer, dashboards, the sign-in. */
export const plainPages: ReadonlySet<PageName> = new Set<PageName>([
  'home',
  'connectionHome',
  'signIn',
  'sessions',
  'connections',
  'dashboards',
  'alerts',
  'alert',
  'sources',
  'source',
  'webhooks',
  'webhook',
  'services',
  'service',
  'pipes',
  'pipe',
  'savedSearches',
  'savedSearch',
  'history',
  'trace',
  'search',
  'explorer',
  'linkedDashboard',
  'dashboard',
])
