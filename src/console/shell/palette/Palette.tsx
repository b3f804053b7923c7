import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import InputBase from '@mui/material/InputBase'
import Typography from '@mui/material/Typography'
import { Search } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { closeOverlay, readTypedAhead } from '../overlay.ts'
import { setBrowserSettings, browserSettings, useBrowserSetting } from '../browserSettings.ts'
import { rank } from './rank.ts'
import { useEntries, type PaletteEntry } from './useEntries.ts'

const maxRecents = 5

/** Go anywhere, do anything: a combobox over pages, connections and actions. */
export function Palette() {
  const [query, setQuery] = useState(readTypedAhead)
  const [at, setAt] = useState(0)
  const entries = useEntries(query.trim() !== '')
  const recents = useBrowserSetting('recents')
  const groups = rank(entries, query, recents)
  const flat = groups.flatMap((group) => group.entries)
  const listId = useId()
  const optionId = (place: number) => `${listId}-${place}`

  const choose = (entry: PaletteEntry | undefined) => {
    if (!entry || entry.disabled !== undefined) return
    setBrowserSettings({
      recents: [entry.id, ...browserSettings().recents.filter((id) => id !== entry.id)].slice(0, maxRecents),
    })
    closeOverlay()
    entry.run()
  }
  const move = (event: KeyboardEvent, to: number) => {
    event.preventDefault()
    setAt(flat.length === 0 ? 0 : (to + flat.length) % flat.length)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(event, at + 1)
    else if (event.key === 'ArrowUp') move(event, at - 1)
    else if (event.key === 'Home') move(event, 0)
    else if (event.key === 'End') move(event, flat.length - 1)
    else if (event.key === 'Enter') choose(flat[at])
  }

  return (
    <Dialog
      open
      onClose={closeOverlay}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
      slotProps={{ paper: { 'aria-label': 'Command palette', sx: { width: 560, mt: '12vh', maxHeight: '60vh' } } }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 2.5,
          px: 3.5,
          py: 2,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Search size={16} aria-hidden />
        {/* The palette is opened to type in it. */}
        {/* oxlint-disable jsx-a11y/no-autofocus */}
        <InputBase
          fullWidth
          autoFocus
          value={query}
          placeholder="Search or jump to…"
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
          inputProps={{
            role: 'combobox',
            'aria-label': 'Command palette',
            'aria-expanded': true,
            'aria-controls': listId,
            'aria-autocomplete': 'list',
            'aria-activedescendant': flat.length > 0 ? optionId(at) : undefined,
            autoComplete: 'off',
            spellCheck: false,
          }}
        />
        {/* oxlint-enable jsx-a11y/no-autofocus */}
      </Box>
      <Box
        id={listId}
        role="listbox"
        aria-label="Results"
        tabIndex={-1}
        sx={{ overflow: 'auto', p: 1.5, minHeight: 60 }}
      >
        {groups.map((group) => (
          <Box key={group.title} role="group" aria-label={group.title}>
            <Typography variant="overline" component="p" color="textSecondary" aria-hidden sx={{ px: 2, pt: 2, pb: 1 }}>
              {group.title}
            </Typography>
            {group.entries.map((entry) => {
              const place = flat.indexOf(entry)
              return (
                <Option
                  key={entry.id}
                  id={optionId(place)}
                  entry={entry}
                  selected={place === at}
                  onHover={() => setAt(place)}
                  onChoose={() => choose(entry)}
                />
              )
            })}
          </Box>
        ))}
        {flat.length === 0 && (
          <Typography color="textSecondary" sx={{ p: 3, textAlign: 'center' }}>
            No results.
          </Typography>
        )}
      </Box>
      <VisuallyHidden live="polite">{query === '' ? '' : `${flat.length} results`}</VisuallyHidden>
    </Dialog>
  )
}

interface OptionProps {
  id: string
  entry: PaletteEntry
  selected: boolean
  onHover: () => void
  onChoose: () => void
}

/** The arrow keys can move the selection out of view. */
const scrollIntoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

function Option({ id, entry, selected, onHover, onChoose }: OptionProps) {
  const { label, detail, icon: Icon, disabled } = entry
  return (
    <Box
      id={id}
      ref={selected ? scrollIntoView : undefined}
      role="option"
      aria-selected={selected}
      aria-disabled={disabled !== undefined}
      onMouseMove={onHover}
      onClick={onChoose}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2.5,
        minHeight: 32,
        px: 2,
        borderRadius: '6px',
        cursor: 'pointer',
        bgcolor: selected ? 'tone.accentSoft' : undefined,
        color: disabled !== undefined ? 'text.secondary' : selected ? 'tone.accentText' : undefined,
      }}
    >
      <Icon size={15} strokeWidth={1.6} aria-hidden style={{ flexShrink: 0 }} />
      <Box component="span" sx={{ flexGrow: 1, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {label}
      </Box>
      <Box component="span" sx={{ fontSize: 12, color: 'text.secondary', whiteSpace: 'nowrap' }}>
        {disabled ?? detail}
      </Box>
    </Box>
  )
}
