/**
 * Street types by spelling: what a leading word of an address may stand for. A type is named within its language
 * (calle is not carrer), and an abbreviation that two types share stands for both of them, so it equals either but
 * never makes the two equal.
 */
const SPELLINGS: Readonly<Record<string, string>> = {
  // Spanish
  calle: 'calle cl cll c',
  avenida: 'avenida av avda avd avdas ave avnda avenid',
  plaza: 'plaza pza plz plza pz pl',
  carretera: 'carretera ctra crta cra carr cr ct ctera',
  paseo: 'paseo pso po pseo ps pas',
  ronda: 'ronda rda rd rnda',
  travesia: 'travesia trav trva trv tva trvs tr',
  glorieta: 'glorieta gta gl glta gtta',
  urbanizacion: 'urbanizacion urb urbz urbaniz ur',
  poligono: 'poligono pol polig plg pgno pg',
  'poligono industrial': 'pi',
  camino: 'camino cno cmno cmo co cm cam',
  barriada: 'barriada bda brda',
  barrio: 'barrio bo brio bro',
  pasaje: 'pasaje pje psje psaje pj',
  callejon: 'callejon cjon cllon cjn cllj',
  calleja: 'calleja cllja clja',
  alameda: 'alameda alam alda',
  bulevar: 'bulevar bulev blvr bvar blvd bul bulv',
  cuesta: 'cuesta custa cta csta',
  costanilla: 'costanilla cstan',
  sector: 'sector sect sec',
  'gran via': 'gv granvia',
  parque: 'parque pque prque pq',
  rambla: 'rambla rbla rb rmbla rbl',
  via: 'via vi',
  subida: 'subida sbida sub',
  bajada: 'bajada bjada',
  grupo: 'grupo gpo gr',
  colonia: 'colonia col cnia',
  edificio: 'edificio edif',
  prolongacion: 'prolongacion prol prolong',
  plazuela: 'plazuela plzla plzuela',
  residencial: 'residencial resid',
  'centro comercial': 'cc',
  lugar: 'lugar lg lug',
  // Catalan, where its word is another
  carrer: 'carrer crer carr cr c',
  avinguda: 'avinguda avgda avg av avda avd',
  placa: 'placa plca pca pl',
  passeig: 'passeig psg pssg pg ps',
  passatge: 'passatge ptge psge pge pj',
  cami: 'cami cm cam',
  baixada: 'baixada bx bda',
  travessera: 'travessera ts trav',
  travessia: 'travessia ts tr trav',
  riera: 'riera ri',
  raval: 'raval rv',
  torrent: 'torrent tnt',
  carrero: 'carrero crro',
  urbanitzacio: 'urbanitzacio urb',
  poligon: 'poligon pol',
  grup: 'grup gr',
  // Galician
  rua: 'rua r',
  praza: 'praza pza pz pl',
  estrada: 'estrada estr',
  // Basque, where the type mostly follows the name
  kalea: 'kalea kale k',
  etorbidea: 'etorbidea etorb etb',
  hiribidea: 'hiribidea hirib',
  enparantza: 'enparantza enp',
}

const TYPES_BY_SPELLING = new Map<string, readonly string[]>()
for (const [type, spellings] of Object.entries(SPELLINGS)) {
  for (const spelling of spellings.split(' ')) {
    TYPES_BY_SPELLING.set(spelling, [...(TYPES_BY_SPELLING.get(spelling) ?? []), type])
  }
}

/** The types a folded leading word may stand for; empty when it is no street type. */
export function streetTypes(word: string): readonly string[] {
  return TYPES_BY_SPELLING.get(word) ?? []
}

const BASQUE_SUFFIXES: Readonly<Record<string, string>> = {
  k: 'kalea',
  kale: 'kalea',
  etorb: 'etorbidea',
  etb: 'etorbidea',
  hirib: 'hiribidea',
  enp: 'enparantza',
}

/** The Basque type a folded word after the street's name abbreviates ("Prim k. 31"), else the word itself. */
export function trailingStreetType(word: string): string {
  return BASQUE_SUFFIXES[word] ?? word
}
