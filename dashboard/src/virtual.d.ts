declare module 'virtual:gazetteer' {
  /** one municipality a line: `name|province code|latitude|longitude` */
  export const lines: string
}
