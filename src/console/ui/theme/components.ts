/** How MUI's parts look here: 30 px controls, hairlines, no shadows to speak of, labels above their fields. */
import type { Components, Theme } from '@mui/material/styles'

const control = 30

const focusRing = (theme: Theme) => ({
  outline: `2px solid ${theme.vars?.palette.primary.main}`,
  outlineOffset: 1,
})

export const components: Components<Theme> = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: { root: ({ theme }) => ({ '&.Mui-focusVisible': focusRing(theme) }) },
  },
  MuiButton: {
    defaultProps: { variant: 'outlined', color: 'inherit', disableElevation: true },
    styleOverrides: {
      root: { minHeight: control, padding: '0 12px', whiteSpace: 'nowrap' },
      startIcon: { marginRight: 6, marginLeft: -2 },
      outlined: ({ theme }) => ({
        borderColor: theme.vars?.palette.tone.edge,
        backgroundColor: theme.vars?.palette.tone.raised,
        '&:hover': { borderColor: theme.vars?.palette.tone.faint, backgroundColor: theme.vars?.palette.tone.raised },
      }),
    },
  },
  MuiIconButton: {
    defaultProps: { size: 'small' },
    styleOverrides: { root: { width: control, height: control, padding: 0, borderRadius: 7 } },
  },
  MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiDialog: {
    styleOverrides: {
      paper: ({ theme }) => ({
        border: `1px solid ${theme.vars?.palette.divider}`,
        borderRadius: 10,
        // The whole dialog takes the focus first: its edge is ring enough.
        '&:focus-visible': { outline: 'none' },
      }),
    },
  },
  MuiDialogTitle: { styleOverrides: { root: { fontSize: 15, fontWeight: 600, padding: '14px 18px 6px' } } },
  MuiDialogContent: { styleOverrides: { root: { padding: '6px 18px 14px' } } },
  MuiDialogActions: { styleOverrides: { root: { padding: '10px 18px 14px', gap: 4 } } },
  MuiBackdrop: { styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: '#0000005c' } } } },
  MuiMenu: {
    styleOverrides: {
      paper: ({ theme }) => ({
        border: `1px solid ${theme.vars?.palette.divider}`,
        boxShadow: '0 4px 16px #0000001f',
        marginTop: 4,
      }),
      list: { padding: 4 },
    },
  },
  MuiMenuItem: {
    styleOverrides: {
      root: { '&&': { minHeight: control }, padding: '2px 8px', borderRadius: 5, fontSize: 13, gap: 8 },
    },
  },
  MuiListSubheader: {
    styleOverrides: {
      root: { fontSize: 11, fontWeight: 550, lineHeight: '26px', padding: '0 8px', background: 'none' },
    },
  },
  MuiTextField: { defaultProps: { size: 'small', fullWidth: true } },
  MuiFormControl: { defaultProps: { size: 'small' } },
  MuiInputLabel: {
    defaultProps: { shrink: true, disableAnimation: true },
    styleOverrides: {
      root: ({ theme }) => ({
        position: 'static',
        transform: 'none',
        maxWidth: 'none',
        fontSize: 13,
        fontWeight: 550,
        lineHeight: 1.45,
        marginBottom: 4,
        whiteSpace: 'normal',
        pointerEvents: 'auto',
        color: theme.vars?.palette.text.primary,
        '&.Mui-focused, &.Mui-error': { color: theme.vars?.palette.text.primary },
        '&.Mui-disabled': { color: theme.vars?.palette.text.secondary },
        '& .MuiInputLabel-asterisk': { color: theme.vars?.palette.text.secondary },
      }),
    },
  },
  MuiOutlinedInput: {
    defaultProps: { notched: false },
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: control,
        fontSize: 13,
        backgroundColor: theme.vars?.palette.tone.raised,
        '& .MuiOutlinedInput-notchedOutline': { top: 0, borderColor: theme.vars?.palette.tone.edge },
        '& .MuiOutlinedInput-notchedOutline legend': { display: 'none' },
        '&:hover:not(.Mui-disabled, .Mui-error) .MuiOutlinedInput-notchedOutline': {
          borderColor: theme.vars?.palette.tone.faint,
        },
      }),
      input: ({ theme }) => ({
        height: control,
        padding: '0 9px',
        boxSizing: 'border-box',
        '&::placeholder': { color: theme.vars?.palette.text.secondary, opacity: 0.8 },
      }),
      multiline: { padding: '6px 9px', '& textarea': { height: 'auto', padding: 0 } },
    },
  },
  MuiSelect: {
    styleOverrides: { select: { minHeight: control, lineHeight: `${control}px`, padding: '0 30px 0 9px' } },
  },
  MuiFormHelperText: {
    styleOverrides: {
      root: ({ theme }) => ({
        margin: '4px 0 0',
        fontSize: 12,
        lineHeight: 1.4,
        color: theme.vars?.palette.text.secondary,
        // It explains why a field cannot be changed, so it must be readable.
        '&.Mui-disabled': { color: theme.vars?.palette.text.secondary },
      }),
    },
  },
  MuiAutocomplete: {
    styleOverrides: {
      inputRoot: { '&.MuiInputBase-sizeSmall': { padding: '0 34px 0 1px', minHeight: control } },
      paper: ({ theme }) => ({
        border: `1px solid ${theme.vars?.palette.divider}`,
        boxShadow: '0 4px 16px #0000001f',
        marginTop: 4,
      }),
      listbox: { padding: 4, '& .MuiAutocomplete-option': { minHeight: control, borderRadius: 5, padding: '2px 8px' } },
      noOptions: { padding: '8px 12px' },
    },
  },
  MuiChip: { styleOverrides: { root: { fontSize: 12, height: 22, borderRadius: 5 } } },
  // The visible edge of a check box or a radio button begins where other fields do.
  MuiFormControlLabel: { styleOverrides: { root: { marginLeft: -7 } } },
  MuiSwitch: { defaultProps: { size: 'small' } },
  // The library's own grey is a shade too light on the page's ground.
  MuiToggleButton: { styleOverrides: { root: ({ theme }) => ({ color: theme.vars?.palette.text.secondary }) } },
  MuiCheckbox: { defaultProps: { size: 'small' }, styleOverrides: { root: { padding: 5 } } },
  MuiRadio: { defaultProps: { size: 'small' }, styleOverrides: { root: { padding: 5 } } },
}
