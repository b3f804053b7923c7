import Box from '@mui/material/Box'

/** A key as it is printed on the keyboard. */
export function Kbd({ children }: { children: string }) {
  return (
    <Box
      component="kbd"
      sx={{
        fontFamily: 'inherit',
        fontSize: 11,
        border: 1,
        borderColor: 'tone.edge',
        borderRadius: '4px',
        px: 1.25,
        color: 'text.secondary',
        whiteSpace: 'nowrap',
      }}
    >
      {children}
    </Box>
  )
}
