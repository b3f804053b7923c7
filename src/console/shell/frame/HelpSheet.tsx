import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { Fragment } from 'react'
import { Kbd } from '#console/ui/Kbd.tsx'
import { useNavEntries } from '../navigation.ts'
import { closeOverlay } from '../overlay.ts'
import { useRegisteredActions } from '../pageActions.ts'
import { setBrowserSettings, useBrowserSetting } from '../browserSettings.ts'
import { modKey } from './modKey.ts'

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
        <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 5, alignItems: 'start' }}>
          {groups
            .filter((group) => group.rows.length > 0)
            .map((group) => (
              <section key={group.title}>
                <Typography variant="h3" sx={{ mb: 2 }}>
                  {group.title}
                </Typography>
                <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: '72px 1fr', rowGap: 1.5 }}>
                  {group.rows.map(({ keys, label }) => (
                    <Fragment key={label}>
                      <Box component="dt" sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
                        {keys.map((key) => (
                          <Kbd key={key}>{key}</Kbd>
                        ))}
                      </Box>
                      <Box component="dd" sx={{ m: 0 }}>
                        {label}
                      </Box>
                    </Fragment>
                  ))}
                </Box>
              </section>
            ))}
        </Box>
        <Box sx={{ mt: 4, pt: 3, borderTop: 1, borderColor: 'divider' }}>
          <FormControlLabel
            label="Single-key shortcuts"
            control={<Switch checked={singleKeys} onChange={(_, on) => setBrowserSettings({ singleKeys: on })} />}
          />
          <Typography variant="caption" color="textSecondary" component="p">
            Turn this off if speech input triggers shortcuts by accident. {modKey} K keeps working.
          </Typography>
        </Box>
      </DialogContent>
    </Dialog>
  )
}
