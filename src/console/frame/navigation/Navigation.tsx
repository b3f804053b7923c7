import { Link } from '@tanstack/react-router'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { setBrowserSettings } from '#console/shell/browserSettings.ts'
import { navGroups } from '#console/shell/routeData.ts'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import { EntryList, UnavailableEntries } from './EntryList.tsx'
import { useNavEntries, useOpenPlace, useUnavailable } from './navigation.ts'
import * as css from './navigation.module.css'

interface NavigationProps {
  /** Icons alone, names as tooltips. */
  collapsed: boolean
  collapsible?: boolean
  width?: number
}

/** The pages, grouped, with Settings at the bottom. Those that the connection does not have are in one line below the others. */
export function Navigation({ collapsed, collapsible = false, width }: NavigationProps) {
  const reasonOf = useUnavailable()
  const { listed, inSettings } = useOpenPlace()
  const entries = useNavEntries()
  const listable = entries.filter(({ group }) => navGroups.some((navGroup) => navGroup === group))
  const available = listable.filter((entry) => reasonOf(entry) === undefined)
  const settings = entries.filter(({ group }) => group === 'Settings')
  return (
    <nav aria-label="Pages" className={css.navigation} data-collapsed={collapsed} style={{ width }}>
      {!collapsed && (
        <Link to="/" className={css.product}>
          Stack Console
        </Link>
      )}
      {navGroups
        .map((group) => ({ group, entries: available.filter((entry) => entry.group === group) }))
        .filter(({ entries }) => entries.length > 0)
        .map(({ group, entries }, at) => (
          <section key={group} aria-label={group}>
            {at > 0 && (collapsed ? <hr className={css.divider} /> : <h2 className={css.title}>{group}</h2>)}
            <EntryList entries={entries} open={listed} collapsed={collapsed} />
          </section>
        ))}
      <Spacer />
      {!collapsed && (
        <UnavailableEntries
          entries={listable.filter((navEntry) => reasonOf(navEntry) !== undefined)}
          reasonOf={reasonOf}
        />
      )}
      <EntryList entries={settings} open={inSettings ? settings[0] : undefined} collapsed={collapsed} />
      {collapsible && <CollapseButton collapsed={collapsed} />}
    </nav>
  )
}

function CollapseButton({ collapsed }: { collapsed: boolean }) {
  const label = collapsed ? 'Expand navigation' : 'Collapse navigation'
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose
  return (
    <IconButton
      {...hint(label, 'right')}
      aria-label={label}
      onClick={() => setBrowserSettings({ navFolded: !collapsed })}
      className={css.collapse}
    >
      <Icon size={15} aria-hidden />
    </IconButton>
  )
}
