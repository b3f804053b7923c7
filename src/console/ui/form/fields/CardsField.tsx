import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import type { LucideIcon } from 'lucide-react'
import { useId } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import type { FieldProps } from './fieldProps.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from '../form.module.css'

interface Card {
  value: string
  label: string
  /** A description, in a line. */
  detail: string
  icon: LucideIcon
}

interface CardsFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  cards: readonly Card[]
}

/** A selection from a few different options, each with an icon and a description. Arrow keys move between them. */
export function CardsField<Values extends FieldValues>({
  control,
  name,
  label,
  disabled,
  cards,
}: CardsFieldProps<Values>) {
  const { field } = useController({ control, name })
  const id = useId()
  return (
    <FormControl disabled={disabled !== undefined} fullWidth>
      <FormLabel id={id} sx={{ mb: 2, fontSize: 13, fontWeight: 550, '&, &.Mui-focused': { color: 'text.primary' } }}>
        {label}
      </FormLabel>
      <RadioGroup
        aria-labelledby={id}
        name={field.name}
        value={field.value}
        onChange={(_, value) => field.onChange(value)}
        onBlur={field.onBlur}
        sx={{
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        {cards.map(({ value, label, detail, icon: Icon }) => (
          <FormControlLabel
            key={value}
            value={value}
            control={<Radio size="small" />}
            label={
              <div className={css.card}>
                <Icon size={18} aria-hidden style={{ flexShrink: 0 }} />
                <span>
                  <Text component="span" className={css.cardsLabel}>
                    {label}
                  </Text>
                  <Text component="span" variant="caption" color="textSecondary" className={css.optionDetail}>
                    {detail}
                  </Text>
                </span>
              </div>
            }
            sx={{
              m: 0,
              p: 2,
              border: 1,
              borderRadius: '7px',
              borderColor: field.value === value ? 'primary.main' : 'divider',
              bgcolor: field.value === value ? 'action.selected' : undefined,
            }}
          />
        ))}
      </RadioGroup>
    </FormControl>
  )
}
