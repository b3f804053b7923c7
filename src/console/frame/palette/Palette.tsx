import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { Search } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { closeOverlay, readTypedAhead } from '#console/shell/overlay.ts'
import { setBrowserSettings, browserSettings, useBrowserSetting } from '#console/shell/browserSettings.ts'
import { rank } from './rank.ts'
import { useEntries, type PaletteEntry } from './useEntries.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { visibleText } from '#domain/text/visibleText.ts'
import * as css from '../frame.module.css'

const maxRecents = 5

/** Go anywhere, do anything: a combobox over pages, connections and actions. */
export function Palette() {
  const listId = useId()
  const { query, type, groups, count, at, setAt, placeOf, choose, press } = usePalette()
  const optionId = (place: number) => `${listId}-${place}`
  return (
    <Dialog
      open
      onClose={closeOverlay}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
      slotProps={{ paper: { 'aria-label': 'Command palette', sx: { width: 560, mt: '12vh', maxHeight: '60vh' } } }}
    >
      <div className={css.searchBar}>
        <Search size={16} aria-hidden />
        {/* The palette is opened to type in it. */}
        {/* oxlint-disable jsx-a11y/no-autofocus */}
        <input
          type="text"
          autoFocus
          value={query}
          placeholder="Search or jump to…"
          onChange={(event) => type(event.target.value)}
          onKeyDown={press}
          role="combobox"
          aria-label="Command palette"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={count > 0 ? optionId(at) : undefined}
          autoComplete="off"
          spellCheck={false}
          className={css.paletteInput}
        />
        {/* oxlint-enable jsx-a11y/no-autofocus */}
      </div>
      <div id={listId} role="listbox" aria-label="Results" tabIndex={-1} className={css.results}>
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <Text variant="overline" component="p" color="textSecondary" aria-hidden className={css.paletteGroupTitle}>
              {group.title}
            </Text>
            {group.entries.map((entry) => {
              const place = placeOf(entry)
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
            {group.isCut && (
              <Text component="p" color="textSecondary" aria-hidden className={css.paletteMore}>
                There are more. Type on to find them.
              </Text>
            )}
          </div>
        ))}
        {count === 0 && (
          <Text color="textSecondary" className={css.noResults}>
            No results.
          </Text>
        )}
      </div>
      <VisuallyHidden live="polite">{query === '' ? '' : resultText(count, groups.some(isCut))}</VisuallyHidden>
    </Dialog>
  )
}

/** The search text, the entries found, and the one that the keyboard has reached. */
function usePalette() {
  const [query, setQuery] = useState(readTypedAhead)
  const [at, setAt] = useState(0)
  const entries = useEntries(query)
  const recents = useBrowserSetting('recents')
  const groups = rank(entries, query, recents)
  const flat = groups.flatMap((group) => group.entries)
  const places = new Map(flat.map((entry, place) => [entry, place]))

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
  return {
    query,
    type: (text: string) => {
      setQuery(text)
      setAt(0)
    },
    groups,
    /** The number of entries in all groups. */
    count: flat.length,
    at,
    setAt,
    placeOf: (entry: PaletteEntry) => places.get(entry) ?? 0,
    choose,
    press: (event: KeyboardEvent) => {
      // It belongs to the input method.
      if (event.nativeEvent.isComposing) return
      if (event.key === 'ArrowDown') move(event, at + 1)
      else if (event.key === 'ArrowUp') move(event, at - 1)
      else if (event.key === 'Home') move(event, 0)
      else if (event.key === 'End') move(event, flat.length - 1)
      else if (event.key === 'Enter') choose(flat[at])
    },
  }
}

const isCut = (group: { isCut: boolean }) => group.isCut
const resultText = (count: number, isSome: boolean) => `${isSome ? 'The first ' : ''}${count} results`

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
    // The field of the palette keeps the focus and takes the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      ref={selected ? scrollIntoView : undefined}
      role="option"
      aria-selected={selected}
      aria-disabled={disabled !== undefined}
      onMouseMove={onHover}
      onClick={onChoose}
      className={css.paletteOption}
      style={{
        backgroundColor: selected ? 'var(--accent-soft)' : undefined,
        color: disabled !== undefined ? 'var(--muted)' : selected ? 'var(--accent-text)' : undefined,
      }}
    >
      <Icon size={15} strokeWidth={1.6} aria-hidden style={{ flexShrink: 0 }} />
      <span className={css.paletteLabel}>{visibleText(label)}</span>
      <span className={css.paletteDetail}>{disabled ?? detail}</span>
    </div>
  )
}
