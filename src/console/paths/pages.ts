/** A page as the table has it. */
export interface PageEntry {
  /** Parameters as `$name`. */
  url: `/${string}`
  /** The file that draws it. */
  file: string
  /**
   * The endpoints that the page reads first, as its `reads` do, where the URL has their input: the gateway sends their
   * responses inside the document (`gateway/http/pageReads.ts`).
   */
  reads?: readonly `${string}.${string}`[]
  /** Files of parts that load on their own beside the page, because its queries do not wait for them. */
  parts?: readonly string[]
  /** Shows telemetry, and a notice in the frame if it is sample data. */
  showsSample?: boolean
}

/** What the frame reads on pages of a connection, in the background. */
export const frameReads = {
  everywhere: ['alerts.list'],
  showsSample: ['sample.get'],
} as const

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

  /** The same for a saved search: opens it on the search page. */
  linkedSearch: { url: '/search/$savedSearchId', file: 'features/search/SearchPage.tsx' },

  signIn: { url: '/sign-in', file: 'shell/session/SignInPage.tsx' },
  settings: { url: '/settings', file: 'features/settings/SettingsPage.tsx' },
  sessions: { url: '/sessions', file: 'features/sessions/SessionsPage.tsx' },
  people: { url: '/people', file: 'features/people/PeoplePage.tsx' },
  account: { url: '/account', file: 'features/people/AccountPage.tsx' },
  audit: { url: '/audit', file: 'features/audit/AuditPage.tsx' },
  changeRequests: { url: '/change-requests', file: 'features/changeRequests/ChangeRequestsPage.tsx' },
  changeRequest: { url: '/change-requests/$requestId', file: 'features/changeRequests/ChangeRequestPage.tsx' },
  connections: { url: '/connections', file: 'features/connections/ConnectionsPage.tsx' },
  newConnection: { url: '/connections/new', file: 'features/connections/NewConnectionPage.tsx' },
  connectionApproval: {
    url: '/connections/$connectionId/approval',
    file: 'features/changeRequests/ApprovalSettingsPage.tsx',
  },
  editConnection: { url: '/connections/$connectionId/edit', file: 'features/connections/EditConnectionPage.tsx' },

  dashboards: {
    url: '/c/$connectionId/dashboards',
    file: 'features/dashboards/DashboardsPage.tsx',
    reads: ['dashboards.list', 'alerts.list'],
    showsSample: true,
  },
  dashboard: {
    url: '/c/$connectionId/dashboards/$dashboardId',
    file: 'features/dashboards/DashboardPage.tsx',
    parts: ['ui/chart/TimeSeriesChart.tsx'],
    reads: ['dashboards.get', 'sources.list', 'alerts.list'],
    showsSample: true,
  },

  alerts: {
    url: '/c/$connectionId/alerts',
    file: 'features/alerts/AlertsPage.tsx',
    reads: ['alerts.list', 'dashboards.list'],
  },
  newAlert: {
    url: '/c/$connectionId/alerts/new',
    file: 'features/alerts/NewAlertPage.tsx',
    reads: ['dashboards.list'],
  },
  alert: {
    url: '/c/$connectionId/alerts/$alertId',
    file: 'features/alerts/detail/AlertPage.tsx',
    reads: ['alerts.get', 'dashboards.list'],
  },
  editAlert: {
    url: '/c/$connectionId/alerts/$alertId/edit',
    file: 'features/alerts/EditAlertPage.tsx',
    reads: ['alerts.get', 'dashboards.list'],
  },

  sources: {
    url: '/c/$connectionId/sources',
    file: 'features/sources/SourcesPage.tsx',
    reads: ['sources.list', 'dashboards.list', 'alerts.list'],
  },
  newSource: {
    url: '/c/$connectionId/sources/new',
    file: 'features/sources/NewSourcePage.tsx',
    reads: ['sources.list'],
  },
  source: {
    url: '/c/$connectionId/sources/$sourceId',
    file: 'features/sources/SourcePage.tsx',
    reads: ['sources.list', 'dashboards.list', 'alerts.list'],
  },
  editSource: {
    url: '/c/$connectionId/sources/$sourceId/edit',
    file: 'features/sources/EditSourcePage.tsx',
    reads: ['sources.list', 'dashboards.list', 'alerts.list'],
  },

  webhooks: {
    url: '/c/$connectionId/webhooks',
    file: 'features/webhooks/WebhooksPage.tsx',
    reads: ['webhooks.list', 'alerts.list'],
  },
  newWebhook: { url: '/c/$connectionId/webhooks/new', file: 'features/webhooks/NewWebhookPage.tsx' },
  webhook: {
    url: '/c/$connectionId/webhooks/$webhookId',
    file: 'features/webhooks/WebhookPage.tsx',
    reads: ['webhooks.list', 'alerts.list'],
  },
  editWebhook: {
    url: '/c/$connectionId/webhooks/$webhookId/edit',
    file: 'features/webhooks/EditWebhookPage.tsx',
    reads: ['webhooks.list'],
  },

  savedSearches: {
    url: '/c/$connectionId/saved-searches',
    file: 'features/savedSearches/SavedSearchesPage.tsx',
    reads: ['savedSearches.list', 'alerts.list', 'sources.list'],
  },
  newSavedSearch: {
    url: '/c/$connectionId/saved-searches/new',
    file: 'features/savedSearches/NewSavedSearchPage.tsx',
  },
  savedSearch: {
    url: '/c/$connectionId/saved-searches/$savedSearchId',
    file: 'features/savedSearches/SavedSearchPage.tsx',
    reads: ['savedSearches.get', 'alerts.list', 'sources.list'],
  },
  editSavedSearch: {
    url: '/c/$connectionId/saved-searches/$savedSearchId/edit',
    file: 'features/savedSearches/EditSavedSearchPage.tsx',
    reads: ['savedSearches.get', 'alerts.list', 'sources.list'],
  },

  search: {
    url: '/c/$connectionId/search',
    file: 'features/search/SearchPage.tsx',
    reads: ['sources.list'],
    showsSample: true,
  },
  trace: {
    url: '/c/$connectionId/traces/$traceId',
    file: 'features/search/TracePage.tsx',
    reads: ['sources.list'],
    showsSample: true,
  },
  explorer: {
    url: '/c/$connectionId/explorer',
    file: 'features/explorer/ExplorerPage.tsx',
    parts: ['ui/chart/TimeSeriesChart.tsx'],
    reads: ['sources.list'],
    showsSample: true,
  },

  team: {
    url: '/c/$connectionId/team',
    file: 'features/team/TeamPage.tsx',
    reads: ['team.get', 'team.members', 'team.invitations'],
  },
  teamKeys: { url: '/c/$connectionId/keys', file: 'features/team/TeamKeysPage.tsx', reads: ['team.keys'] },

  environments: { url: '/environments', file: 'features/environments/EnvironmentsPage.tsx' },
  promote: { url: '/promote', file: 'features/promote/PromotePage.tsx' },
  history: { url: '/c/$connectionId/history', file: 'features/history/HistoryPage.tsx' },

  services: {
    url: '/c/$connectionId/services',
    file: 'features/services/ServicesPage.tsx',
    reads: ['services.list'],
  },
  newService: { url: '/c/$connectionId/services/new', file: 'features/services/NewServicePage.tsx' },
  service: {
    url: '/c/$connectionId/services/$serviceId',
    file: 'features/services/ServicePage.tsx',
    reads: ['services.get'],
  },
  editService: {
    url: '/c/$connectionId/services/$serviceId/edit',
    file: 'features/services/EditServicePage.tsx',
    reads: ['services.get'],
  },
  scaleService: {
    url: '/c/$connectionId/services/$serviceId/scaling',
    file: 'features/services/ServiceScalingPage.tsx',
    reads: ['services.get'],
  },
  serviceBackups: {
    url: '/c/$connectionId/services/$serviceId/backups',
    file: 'features/services/ServiceBackupsPage.tsx',
    reads: ['services.get', 'serviceBackups.list'],
  },
  restoreService: {
    url: '/c/$connectionId/services/$serviceId/backups/$backupId/restore',
    file: 'features/services/RestoreServicePage.tsx',
    reads: ['services.get'],
  },
  serviceSchedule: {
    url: '/c/$connectionId/services/$serviceId/schedule',
    file: 'features/services/ServiceSchedulePage.tsx',
    reads: ['services.get'],
  },
  serviceMetrics: {
    url: '/c/$connectionId/services/$serviceId/metrics',
    file: 'features/services/ServiceMetricsPage.tsx',
    parts: ['ui/chart/TimeSeriesChart.tsx'],
    reads: ['services.get'],
  },
  serviceSettings: {
    url: '/c/$connectionId/services/$serviceId/settings',
    file: 'features/services/ServiceSettingsPage.tsx',
    reads: ['services.get', 'serviceSettings.list', 'serviceSettings.schema'],
  },
  serviceQueryEndpoint: {
    url: '/c/$connectionId/services/$serviceId/query-endpoint',
    file: 'features/services/ServiceQueryEndpointPage.tsx',
    reads: ['services.get', 'serviceEndpoints.query', 'apiKeys.list'],
  },
  servicePrivateEndpoints: {
    url: '/c/$connectionId/services/$serviceId/private-endpoints',
    file: 'features/services/ServicePrivateEndpointsPage.tsx',
    reads: ['services.get', 'serviceEndpoints.privateConfig', 'reversePrivateEndpoints.list'],
  },
  pipeSize: {
    url: '/c/$connectionId/services/$serviceId/pipe-size',
    file: 'features/pipes/PipeSizePage.tsx',
    reads: ['pipes.cdcScaling', 'services.get'],
  },

  pipes: { url: '/c/$connectionId/pipes', file: 'features/pipes/PipesPage.tsx', reads: ['services.list'] },
  newPipe: { url: '/c/$connectionId/pipes/new', file: 'features/pipes/NewPipePage.tsx', reads: ['services.list'] },
  pipe: {
    url: '/c/$connectionId/pipes/$serviceId/$dataPipeId',
    file: 'features/pipes/PipePage.tsx',
    reads: ['pipes.get'],
  },
  editPipe: {
    url: '/c/$connectionId/pipes/$serviceId/$dataPipeId/edit',
    file: 'features/pipes/EditPipePage.tsx',
    reads: ['pipes.get'],
  },
  scalePipe: {
    url: '/c/$connectionId/pipes/$serviceId/$dataPipeId/scaling',
    file: 'features/pipes/PipeScalingPage.tsx',
    reads: ['pipes.get'],
  },
  pipeSettings: {
    url: '/c/$connectionId/pipes/$serviceId/$dataPipeId/settings',
    file: 'features/pipes/PipeSettingsPage.tsx',
    reads: ['pipes.get'],
  },

  apiKeys: {
    url: '/c/$connectionId/api-keys',
    file: 'features/organization/keys/ApiKeysPage.tsx',
    reads: ['apiKeys.list'],
  },
  newApiKey: {
    url: '/c/$connectionId/api-keys/new',
    file: 'features/organization/keys/NewApiKeyPage.tsx',
    reads: ['roles.list'],
  },
  apiKey: {
    url: '/c/$connectionId/api-keys/$apiKeyId',
    file: 'features/organization/keys/ApiKeyPage.tsx',
    reads: ['apiKeys.get'],
  },
  editApiKey: {
    url: '/c/$connectionId/api-keys/$apiKeyId/edit',
    file: 'features/organization/keys/EditApiKeyPage.tsx',
    reads: ['apiKeys.get', 'roles.list'],
  },
  rotateApiKey: {
    url: '/c/$connectionId/api-keys/$apiKeyId/rotate',
    file: 'features/organization/keys/RotateApiKeyPage.tsx',
    reads: ['apiKeys.list'],
  },
  organization: {
    url: '/c/$connectionId/organization',
    file: 'features/organization/settings/OrganizationPage.tsx',
    reads: ['organizations.get'],
  },
  usage: {
    url: '/c/$connectionId/usage',
    file: 'features/organization/usage/UsagePage.tsx',
    parts: ['ui/chart/TimeSeriesChart.tsx'],
  },
  roles: {
    url: '/c/$connectionId/roles',
    file: 'features/organization/roles/RolesPage.tsx',
    reads: ['roles.list'],
  },
  newRole: {
    url: '/c/$connectionId/roles/new',
    file: 'features/organization/roles/NewRolePage.tsx',
    reads: ['services.list'],
  },
  role: {
    url: '/c/$connectionId/roles/$roleId',
    file: 'features/organization/roles/RolePage.tsx',
    reads: ['roles.get', 'apiKeys.list', 'members.list', 'services.list'],
  },
  editRole: {
    url: '/c/$connectionId/roles/$roleId/edit',
    file: 'features/organization/roles/EditRolePage.tsx',
    reads: ['roles.get', 'services.list'],
  },
  members: {
    url: '/c/$connectionId/members',
    file: 'features/organization/members/MembersPage.tsx',
    reads: ['members.list', 'invitations.list', 'roles.list'],
  },
  activities: {
    url: '/c/$connectionId/activities',
    file: 'features/organization/activities/ActivitiesPage.tsx',
    reads: ['activities.list'],
  },
} as const satisfies Record<string, PageEntry>

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
