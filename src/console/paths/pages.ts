/** A page as the table has it. */
export interface PageEntry {
  /** Parameters as `$name`. */
  url: `/${string}`
  /** The file that draws it: by its default export or, if it draws several pages, by the export called after the page. */
  file: string
  /** Files of parts that load on their own beside the page, because its queries do not wait for them. */
  parts?: readonly string[]
  /** Shows telemetry, and a notice in the frame if it is sample data. */
  showsSample?: boolean
  /** Drawn with MUI, as forms are. The other pages load it with their first menu or dialog. */
  withMui?: true
}

/**
 * Every page of the console. The routes (`routes/`), the links (`paths.ts`) and the manifest of the build
 * (`src/build/pageManifest.ts`) are derived from this table.
 */
export const pages = {
  home: { url: '/', file: 'features/home/HomePage.tsx' },
  /** Redirects to the dashboards. */
  connectionHome: { url: '/c/$connectionId', file: 'features/dashboards/DashboardsPage.tsx' },

  /** The link of a notification, which knows no connection: redirects to the dashboard on the last one. */
  linkedDashboard: { url: '/dashboards/$dashboardId', file: 'features/dashboards/DashboardPage.tsx' },

  /** The link of a notification to a saved search: opens it on the search page. */
  linkedSearch: { url: '/search/$savedSearchId', file: 'features/search/SearchPage.tsx' },

  signIn: { url: '/sign-in', file: 'shell/session/SignInPage.tsx' },
  /** For people without an account: outside of the frame. */
  shared: {
    url: '/shared',
    file: 'features/dashboards/shared/SharedPage.tsx',
    parts: ['ui/chart/TimeSeriesChart.tsx'],
  },
  settings: { url: '/settings', file: 'features/settings/SettingsPage.tsx' },
  sessions: { url: '/sessions', file: 'features/sessions/SessionsPage.tsx' },
  people: { url: '/people', file: 'features/people/PeoplePage.tsx' },
  account: { url: '/account', file: 'features/people/AccountPage.tsx', withMui: true },
  agents: { url: '/agents', file: 'features/people/agents/AgentsPage.tsx' },
  audit: { url: '/audit', file: 'features/audit/AuditPage.tsx' },
  changeRequests: { url: '/change-requests', file: 'features/changeRequests/ChangeRequestsPage.tsx', withMui: true },
  changeRequest: {
    url: '/change-requests/$requestId',
    file: 'features/changeRequests/ChangeRequestPage.tsx',
    withMui: true,
  },
  connections: { url: '/connections', file: 'features/connections/ConnectionsPage.tsx' },
  newConnection: { url: '/connections/new', file: 'features/connections/NewConnectionPage.tsx', withMui: true },
  connectionApproval: {
    url: '/connections/$connectionId/approval',
    file: 'features/changeRequests/ApprovalSettingsPage.tsx',
    withMui: true,
  },
  editConnection: {
    url: '/connections/$connectionId/edit',
    file: 'features/connections/EditConnectionPage.tsx',
    withMui: true,
  },

  dashboards: {
    url: '/c/$connectionId/dashboards',
    file: 'features/dashboards/DashboardsPage.tsx',
    showsSample: true,
  },
  dashboard: {
    url: '/c/$connectionId/dashboards/$dashboardId',
    file: 'features/dashboards/DashboardPage.tsx',
    parts: ['ui/chart/TimeSeriesChart.tsx'],
    showsSample: true,
  },

  alerts: {
    url: '/c/$connectionId/alerts',
    file: 'features/alerts/AlertsPage.tsx',
  },
  newAlert: {
    url: '/c/$connectionId/alerts/new',
    file: 'features/alerts/NewAlertPage.tsx',
    withMui: true,
  },
  alert: {
    url: '/c/$connectionId/alerts/$alertId',
    file: 'features/alerts/detail/AlertPage.tsx',
    showsSample: true,
  },
  editAlert: {
    url: '/c/$connectionId/alerts/$alertId/edit',
    file: 'features/alerts/EditAlertPage.tsx',
    withMui: true,
  },

  sources: {
    url: '/c/$connectionId/sources',
    file: 'features/sources/SourcesPage.tsx',
  },
  newSource: {
    url: '/c/$connectionId/sources/new',
    file: 'features/sources/SourceFormPages.tsx',
    withMui: true,
  },
  source: {
    url: '/c/$connectionId/sources/$sourceId',
    file: 'features/sources/SourcePage.tsx',
  },
  editSource: {
    url: '/c/$connectionId/sources/$sourceId/edit',
    file: 'features/sources/SourceFormPages.tsx',
    withMui: true,
  },

  webhooks: {
    url: '/c/$connectionId/webhooks',
    file: 'features/webhooks/WebhooksPage.tsx',
  },
  newWebhook: {
    url: '/c/$connectionId/webhooks/new',
    file: 'features/webhooks/WebhookFormPages.tsx',
    withMui: true,
  },
  webhook: {
    url: '/c/$connectionId/webhooks/$webhookId',
    file: 'features/webhooks/WebhookPage.tsx',
  },
  editWebhook: {
    url: '/c/$connectionId/webhooks/$webhookId/edit',
    file: 'features/webhooks/WebhookFormPages.tsx',
    withMui: true,
  },

  savedSearches: {
    url: '/c/$connectionId/saved-searches',
    file: 'features/savedSearches/SavedSearchPages.tsx',
  },
  newSavedSearch: {
    url: '/c/$connectionId/saved-searches/new',
    file: 'features/savedSearches/SavedSearchFormPages.tsx',
    withMui: true,
  },
  savedSearch: {
    url: '/c/$connectionId/saved-searches/$savedSearchId',
    file: 'features/savedSearches/SavedSearchPages.tsx',
  },
  editSavedSearch: {
    url: '/c/$connectionId/saved-searches/$savedSearchId/edit',
    file: 'features/savedSearches/SavedSearchFormPages.tsx',
    withMui: true,
  },

  search: {
    url: '/c/$connectionId/search',
    file: 'features/search/SearchPage.tsx',
    showsSample: true,
  },
  trace: {
    url: '/c/$connectionId/traces/$traceId',
    file: 'features/search/TracePage.tsx',
    showsSample: true,
  },
  explorer: {
    url: '/c/$connectionId/explorer',
    file: 'features/explorer/ExplorerPage.tsx',
    parts: ['ui/chart/TimeSeriesChart.tsx'],
    showsSample: true,
  },

  sql: {
    url: '/c/$connectionId/explorer/sql',
    file: 'features/sql/SqlPage.tsx',
    showsSample: true,
  },
  savedStatements: {
    url: '/c/$connectionId/explorer/statements',
    file: 'features/sql/SavedStatementsPage.tsx',
  },

  team: {
    url: '/c/$connectionId/team',
    file: 'features/team/TeamPage.tsx',
  },
  teamKeys: { url: '/c/$connectionId/keys', file: 'features/team/TeamKeysPage.tsx' },

  environments: { url: '/environments', file: 'features/environments/EnvironmentsPage.tsx' },
  promote: { url: '/promote', file: 'features/promote/PromotePage.tsx' },
  history: { url: '/c/$connectionId/history', file: 'features/history/HistoryPage.tsx' },

  services: {
    url: '/c/$connectionId/services',
    file: 'features/services/ServicesPage.tsx',
  },
  newService: { url: '/c/$connectionId/services/new', file: 'features/services/NewServicePage.tsx', withMui: true },
  service: {
    url: '/c/$connectionId/services/$serviceId',
    file: 'features/services/ServicePage.tsx',
  },
  editService: {
    url: '/c/$connectionId/services/$serviceId/edit',
    file: 'features/services/EditServicePage.tsx',
    withMui: true,
  },
  scaleService: {
    url: '/c/$connectionId/services/$serviceId/scaling',
    file: 'features/services/ServiceScalingPage.tsx',
    withMui: true,
  },
  serviceBackups: {
    url: '/c/$connectionId/services/$serviceId/backups',
    file: 'features/services/ServiceBackupsPage.tsx',
    withMui: true,
  },
  restoreService: {
    url: '/c/$connectionId/services/$serviceId/backups/$backupId/restore',
    file: 'features/services/RestoreServicePage.tsx',
    withMui: true,
  },
  serviceSchedule: {
    url: '/c/$connectionId/services/$serviceId/schedule',
    file: 'features/services/ServiceSchedulePage.tsx',
    withMui: true,
  },
  serviceMetrics: {
    url: '/c/$connectionId/services/$serviceId/metrics',
    file: 'features/services/ServiceMetricsPage.tsx',
    parts: ['ui/chart/TimeSeriesChart.tsx'],
    withMui: true,
  },
  serviceSettings: {
    url: '/c/$connectionId/services/$serviceId/settings',
    file: 'features/services/ServiceSettingsPage.tsx',
    withMui: true,
  },
  serviceQueryEndpoint: {
    url: '/c/$connectionId/services/$serviceId/query-endpoint',
    file: 'features/services/ServiceQueryEndpointPage.tsx',
    withMui: true,
  },
  servicePrivateEndpoints: {
    url: '/c/$connectionId/services/$serviceId/private-endpoints',
    file: 'features/services/ServicePrivateEndpointsPage.tsx',
    withMui: true,
  },
  pipeSize: {
    url: '/c/$connectionId/services/$serviceId/pipe-size',
    file: 'features/pipes/PipeSizePage.tsx',
    withMui: true,
  },

  pipes: { url: '/c/$connectionId/pipes', file: 'features/pipes/PipesPage.tsx' },
  rightSizing: { url: '/c/$connectionId/pipes/right-sizing', file: 'features/pipes/RightSizingPage.tsx' },
  newPipe: { url: '/c/$connectionId/pipes/new', file: 'features/pipes/NewPipePage.tsx', withMui: true },
  pipe: {
    url: '/c/$connectionId/pipes/$serviceId/$dataPipeId',
    file: 'features/pipes/PipePage.tsx',
  },
  editPipe: {
    url: '/c/$connectionId/pipes/$serviceId/$dataPipeId/edit',
    file: 'features/pipes/EditPipePage.tsx',
    withMui: true,
  },
  scalePipe: {
    url: '/c/$connectionId/pipes/$serviceId/$dataPipeId/scaling',
    file: 'features/pipes/PipeScalingPage.tsx',
    withMui: true,
  },
  pipeSettings: {
    url: '/c/$connectionId/pipes/$serviceId/$dataPipeId/settings',
    file: 'features/pipes/PipeSettingsPage.tsx',
    withMui: true,
  },

  apiKeys: {
    url: '/c/$connectionId/api-keys',
    file: 'features/organization/keys/ApiKeysPage.tsx',
  },
  newApiKey: {
    url: '/c/$connectionId/api-keys/new',
    file: 'features/organization/keys/NewApiKeyPage.tsx',
    withMui: true,
  },
  apiKey: {
    url: '/c/$connectionId/api-keys/$apiKeyId',
    file: 'features/organization/keys/ApiKeyPage.tsx',
  },
  editApiKey: {
    url: '/c/$connectionId/api-keys/$apiKeyId/edit',
    file: 'features/organization/keys/EditApiKeyPage.tsx',
    withMui: true,
  },
  rotateApiKey: {
    url: '/c/$connectionId/api-keys/$apiKeyId/rotate',
    file: 'features/organization/keys/RotateApiKeyPage.tsx',
    withMui: true,
  },
  organization: {
    url: '/c/$connectionId/organization',
    file: 'features/organization/settings/OrganizationPage.tsx',
    withMui: true,
  },
  storage: { url: '/c/$connectionId/storage', file: 'features/storage/StoragePage.tsx' },
  usage: {
    url: '/c/$connectionId/usage',
    file: 'features/organization/usage/UsagePage.tsx',
    parts: ['ui/chart/TimeSeriesChart.tsx'],
  },
  roles: {
    url: '/c/$connectionId/roles',
    file: 'features/organization/roles/RolePages.tsx',
  },
  newRole: {
    url: '/c/$connectionId/roles/new',
    file: 'features/organization/roles/RoleFormPages.tsx',
    withMui: true,
  },
  role: {
    url: '/c/$connectionId/roles/$roleId',
    file: 'features/organization/roles/RolePages.tsx',
  },
  editRole: {
    url: '/c/$connectionId/roles/$roleId/edit',
    file: 'features/organization/roles/RoleFormPages.tsx',
    withMui: true,
  },
  members: {
    url: '/c/$connectionId/members',
    file: 'features/organization/members/MembersPage.tsx',
    withMui: true,
  },
  activities: {
    url: '/c/$connectionId/activities',
    file: 'features/organization/activities/ActivitiesPage.tsx',
  },
} as const satisfies Record<string, PageEntry>

/** The URLs of the pages that show telemetry. */
export const telemetryUrls: ReadonlySet<string> = new Set(
  Object.values<PageEntry>(pages).flatMap(({ url, showsSample }) => (showsSample ? url : [])),
)

/** Pages that are drawn without MUI. */
export function plainPages(): PageName[] {
  const names = Object.keys(pages) as PageName[] // the names of the table
  return names.filter((name) => !('withMui' in pages[name]))
}

/** Whether a file draws several pages, as its name says. */
export const drawsSeveral = (file: string): boolean => file.endsWith('Pages.tsx')

/** The URL that a URL without a page of its own redirects to: the one on a connection with the same file. */
export function destination(url: string): string {
  const { file = '' } = Object.values(pages).find((page) => page.url === url) ?? {}
  const last = Object.values(pages).findLast((page) => page.file === file)
  return (drawsSeveral(file) ? undefined : last?.url) ?? url
}

type Pages = typeof pages

/** The name of a page: `editAlert`. */
export type PageName = keyof Pages

export type PageUrl<Name extends PageName> = Pages[Name]['url']

/** The parameters of a URL in their order: `['connectionId', 'alertId']`. */
export type UrlParams<Url extends string> = Url extends `${string}$${infer Name}/${infer Rest}`
  ? [Name, ...UrlParams<Rest>]
  : Url extends `${string}$${infer Name}`
    ? [Name]
    : []

/** A parameter of any page's URL. */
export type ParamName = UrlParams<PageUrl<PageName>>[number]
