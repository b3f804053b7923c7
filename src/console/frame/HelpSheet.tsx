import { Dialog } from '#console/ui/mui/Dialog.tsx'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { Fragment } from 'react'
import { paths } from '#console/paths/paths.ts'
import { Kbd } from '#console/ui/base/Kbd.tsx'
import { useNavEntries } from './navigation/navigation.ts'
import { closeOverlay } from '#console/shell/overlay.ts'
import { useRegisteredActions } from '#console/shell/pageActions.ts'
import { setBrowserSettings, useBrowserSetting } from '#console/shell/browserSettings.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { modKey } from './modKey.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { SwitchInput } from '#console/ui/form/fields/SwitchInput.tsx'
import * as css from './frame.module.css'

interface Row {
  keys: string[]
  label: string
}

const everywhere: Row[] = [
  { keys: [modKey, 'K'], label: 'Open the command palette' },
  { keys: ['?'], label: 'Show this help' },
  { keys: ['/'], label: 'Focus the search field' },
  { keys: ['u'], label: 'Run the action of the latest notification, such as Undo' },
  { keys: ['Esc'], label: 'Close the open dialog or menu' },
]

/** All shortcuts, and the switch that turns the single keys off. */
export function HelpSheet() {
  const singleKeys = useBrowserSetting('singleKeys')
  const tour = useBrowserSetting('tour')
  const entries = useNavEntries().filter((entry) => entry.key)
  const actions = useRegisteredActions().filter((action) => action.key)
  const groups: { title: string; rows: Row[] }[] = [
    { title: 'Global', rows: everywhere },
    { title: 'On this page', rows: actions.map((action) => ({ keys: [action.key ?? ''], label: action.label })) },
    { title: 'Go to', rows: entries.map((entry) => ({ keys: ['g', entry.key ?? ''], label: entry.title })) },
  ]
  return (
    <Dialog open onClose={closeOverlay} aria-labelledby="help-title" maxWidth="sm" fullWidth>
      <DialogTitle id="help-title">Help and shortcuts</DialogTitle>
      <DialogContent>
        <div className={css.helpGroups}>
          {groups
            .filter((group) => group.rows.length > 0)
            .map((group) => (
              <section key={group.title}>
                <Text variant="h3" className={css.helpGroupTitle}>
                  {group.title}
                </Text>
                <dl className={css.shortcuts}>
                  {group.rows.map(({ keys, label }) => (
                    <Fragment key={label}>
                      <dt className={css.keys}>
                        {keys.map((key) => (
                          <Kbd key={key}>{key}</Kbd>
                        ))}
                      </dt>
                      <dd className={css.helpAction}>{label}</dd>
                    </Fragment>
                  ))}
                </dl>
              </section>
            ))}
        </div>
        <div className={css.preference}>
          <SwitchInput
            label="Single-key shortcuts"
            checked={singleKeys}
            onChange={(on) => setBrowserSettings({ singleKeys: on })}
          />
          <Text variant="caption" color="textSecondary" component="p">
            Turn this off if speech input triggers shortcuts by accident. {modKey} K keeps working.
          </Text>
        </div>
        {tour !== 0 && (
          <LinkButton
            to={paths.home()}
            onClick={() => {
              setBrowserSettings({ tour: 0 })
              closeOverlay()
            }}
          >
            Offer the tour of the sample again
          </LinkButton>
        )}
      </DialogContent>
    </Dialog>
  )
}
