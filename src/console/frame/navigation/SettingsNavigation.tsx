import { Link } from '@tanstack/react-router'
import { paths } from '#console/paths/paths.ts'
import { settingsGroups } from '#console/shell/routeData.ts'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import { EntryList, UnavailableEntries } from './EntryList.tsx'
import { useNavEntries, useOpenPlace, useUnavailable, type NavEntry } from './navigation.ts'
import * as css from './navigation.module.css'

/** The pages of Settings, grouped, beside the icons of the navigation. */
export function SettingsNavigation() {
  const { listed } = useOpenPlace()
  const { groups, unavailable, reasonOf } = useSettings()
  return (
    <nav aria-label="Settings" className={`${css.navigation} ${css.settings}`}>
      <h2 className={css.heading}>
        <Link to={paths.settings()} activeOptions={{ exact: true }}>
          Settings
        </Link>
      </h2>
      {groups.map(({ group, entries }) => (
        <section key={group} aria-label={group}>
          <h3 className={css.title}>{group}</h3>
          <EntryList entries={entries} open={listed} />
        </section>
      ))}
      <Spacer />
      <UnavailableEntries entries={unavailable} reasonOf={reasonOf} />
    </nav>
  )
}

interface Settings {
  groups: { group: string; entries: NavEntry[] }[]
  /** Pages without use on the connection. */
  unavailable: NavEntry[]
  reasonOf: (entry: NavEntry) => string | undefined
}

/** The pages of Settings that the signed-in person may open, by group, on the connection of the frame. */
export function useSettings(): Settings {
  const reasonOf = useUnavailable()
  const entries = useNavEntries().filter(({ group }) => settingsGroups.some((settingsGroup) => settingsGroup === group))
  const groups = settingsGroups.map((group) => ({
    group,
    entries: entries.filter((entry) => entry.group === group && reasonOf(entry) === undefined),
  }))
  return {
    groups: groups.filter((group) => group.entries.length > 0),
    unavailable: entries.filter((entry) => reasonOf(entry) !== undefined),
    reasonOf,
  }
}
