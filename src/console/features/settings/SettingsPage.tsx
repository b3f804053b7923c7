import { Link } from '@tanstack/react-router'
import { pages, type PageName } from '#console/paths/pages.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { entryPath } from '#console/frame/navigation/navigation.ts'
import { UnavailableEntries } from '#console/frame/navigation/EntryList.tsx'
import { useSettings } from '#console/frame/navigation/SettingsNavigation.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import * as css from './settings.module.css'

/** The purpose of each page. */
const purposes: Record<string, string> = {
  connections: 'The deployments that this console administers, with their keys and stages',
  people: 'Who may sign in, with which roles',
  account: 'Your password, passkeys and tokens',
  agents: 'Programs that read and propose changes, with your tokens',
  sessions: 'Signed-in browsers, and signing them out',
  audit: 'Who did what, with its outcome',
  team: 'Members and invitations of the open-source deployment',
  teamKeys: 'Ingestion key and personal keys, with ready configuration',
  storage: 'Size of telemetry on the disk, and how long it is kept',
  members: 'Members and invitations of the organization',
  apiKeys: 'Keys of programs: roles, addresses, expiry, rotation',
  roles: 'Policies that allow or deny permissions',
  organization: 'Name and features of the organization',
  usage: 'What each service costs, by day',
} satisfies Partial<Record<PageName, string>>

/** The pages of Settings. On a phone this is the list, elsewhere it stands beside it. */
export default function SettingsPage() {
  const { connection } = useFrameConnection()
  const { groups, unavailable, reasonOf } = useSettings()
  return (
    <Page title="Settings" lead={connection && `Access, telemetry and cost are those of ${connection.name}.`}>
      <div className={css.groups}>
        {groups.map(({ group, entries }) => (
          <Panel key={group} title={group} flush>
            <ul className={css.list}>
              {entries.map((entry) => {
                const Icon = entry.icon
                return (
                  <li key={entry.template}>
                    <Link to={entryPath(entry, connection?.id)} className={css.entry}>
                      <Icon size={16} strokeWidth={1.6} aria-hidden />
                      <span>
                        <span className={css.title}>{entry.title}</span>
                        <span className={css.purpose}>{purposeOf(entry.template)}</span>
                      </span>
                    </Link>
                  </li>
                )
              })}
            </ul>
          </Panel>
        ))}
      </div>
      <UnavailableEntries entries={unavailable} reasonOf={reasonOf} />
    </Page>
  )
}

/** @param template the URL of a page, as the table of pages has it */
function purposeOf(template: string): string | undefined {
  return Object.entries(pages).flatMap(([name, { url }]) => (url === template ? (purposes[name] ?? []) : []))[0]
}
