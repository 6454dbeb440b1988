"""Words by which names are known in English text: places, peoples, what companies are called.

The lists are short and written from general knowledge: what is often read, not what there is. All
words are in small letters; entries of two and more words are written with underscores between them.
"""

from __future__ import annotations

__all__ = [
    "ACRONYMS",
    "CALENDAR",
    "COMMON",
    "DESIGNATORS",
    "FUNCTION",
    "GROUPS",
    "HONOURS",
    "JOINED_BY_OF",
    "MEMBERS",
    "NATIONALITIES",
    "ORGANISATIONS",
    "ORGANISATION_HEADS",
    "PARTICLES",
    "PLACES",
    "PLACE_HEADS",
    "SAYING",
    "VERBS",
    "words",
]


def words(text: str) -> frozenset[str]:
    """The words of a text; underscores stand for spaces.

    >>> sorted(words("oslo new_york"))
    ['new york', 'oslo']
    """
    return frozenset(word.replace("_", " ") for word in text.split())


_COUNTRIES = """
afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahamas
bahrain bangladesh barbados belarus belgium belize benin bhutan bolivia bosnia botswana brazil
britain great_britain brunei bulgaria burkina_faso burma burundi cambodia cameroon canada cape_verde
chad chile china colombia congo costa_rica croatia cuba cyprus czechia czech_republic czechoslovakia
denmark djibouti dominica dominican_republic east_germany east_timor ecuador egypt el_salvador
england eritrea estonia ethiopia fiji finland france gabon gambia georgia germany ghana greece
grenada guatemala guinea guyana haiti holland honduras hungary iceland india indonesia iran iraq
ireland northern_ireland israel italy ivory_coast jamaica japan jordan kazakhstan kenya kiribati
korea north_korea south_korea kosovo kuwait kyrgyzstan laos latvia lebanon lesotho liberia libya
liechtenstein lithuania luxembourg macedonia madagascar malawi malaysia maldives mali malta
mauritania mauritius mexico moldova monaco mongolia montenegro morocco mozambique myanmar namibia
nauru nepal netherlands new_zealand nicaragua niger nigeria norway oman pakistan palestine panama
papua_new_guinea paraguay persia peru philippines poland portugal prussia puerto_rico qatar romania
russia rwanda samoa san_marino saudi_arabia scotland senegal serbia seychelles siam sierra_leone
singapore slovakia slovenia solomon_islands somalia south_africa south_sudan soviet_union spain
sri_lanka sudan suriname swaziland sweden switzerland syria taiwan tajikistan tanzania thailand
tibet togo tonga trinidad tunisia turkey turkmenistan tuvalu uganda ukraine united_arab_emirates
united_kingdom united_states united_states_of_america uruguay ussr uzbekistan vanuatu vatican
venezuela vietnam wales west_germany yemen yugoslavia zambia zimbabwe u.s. u.s.a. u.k. usa uk uae eu
u.s us
"""
_STATES = """
alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho
illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota
mississippi missouri montana nebraska nevada new_hampshire new_jersey new_mexico north_carolina
north_dakota ohio oklahoma oregon pennsylvania rhode_island south_carolina south_dakota tennessee
texas utah vermont virginia west_virginia wisconsin wyoming new_england d.c. district_of_columbia
ontario quebec manitoba alberta saskatchewan british_columbia nova_scotia new_brunswick newfoundland
yukon queensland victoria tasmania new_south_wales bavaria saxony brandenburg westphalia hesse
punjab bengal bihar gujarat kerala rajasthan kashmir tamil_nadu uttar_pradesh bedfordshire berkshire
buckinghamshire cambridgeshire cheshire cornwall cumberland derbyshire devon devonshire dorset
dorsetshire essex gloucestershire hampshire herefordshire hertfordshire kent lancashire
leicestershire lincolnshire middlesex norfolk northamptonshire northumberland nottinghamshire
oxfordshire shropshire somerset somersetshire staffordshire suffolk surrey sussex warwickshire
wiltshire worcestershire yorkshire ulster munster leinster connaught normandy brittany burgundy
provence gascony languedoc picardy champagne alsace lorraine tuscany lombardy piedmont umbria sicily
sardinia corsica calabria catalonia andalusia castile aragon galicia bohemia moravia silesia
transylvania galilee judea samaria flanders brabant crimea siberia manchuria
"""
_REGIONS = """
africa america north_america south_america central_america latin_america asia europe antarctica
oceania australasia scandinavia balkans caribbean middle_east far_east arabia mesopotamia babylon
babylonia assyria phoenicia carthage troy sparta atlantis mediterranean atlantic pacific arctic
baltic adriatic aegean north_sea black_sea red_sea dead_sea caspian thames seine rhine rhone danube
loire garonne tiber volga nile niger_river congo_river zambezi ganges indus yangtze mekong euphrates
tigris amazon orinoco mississippi_river missouri_river hudson potomac ohio_river rio_grande severn
clyde tyne humber mersey avon alps pyrenees apennines carpathians himalayas himalaya andes rockies
appalachians urals caucasus everest vesuvius etna olympus sinai sahara gobi kalahari patagonia
polynesia melanesia micronesia hebrides orkney shetland azores canaries bermuda iberia indochina
indies west_indies east_indies greenland sumatra borneo java celebes ceylon formosa okinawa hokkaido
honshu zanzibar crete rhodes balearics majorca silicon_valley wall_street broadway hollywood
manhattan brooklyn bronx queens staten_island long_island harlem soho westminster chelsea kensington
mayfair whitechapel holborn piccadilly greenwich hampstead bloomsbury southwark lambeth wimbledon
heathrow montmartre versailles pentagon white_house downing_street buckingham_palace capitol_hill
earth mars venus jupiter saturn
"""
_CITIES = """
aberdeen abidjan abu_dhabi accra acapulco adelaide addis_ababa albany albuquerque aleppo alexandria
algiers amman amsterdam anchorage ankara antwerp athens atlanta auckland austin baghdad baku
baltimore bangalore bangkok barcelona basel basle bath beijing beirut belfast belgrade bergen
berkeley berlin berne bethlehem birmingham bogota bologna bombay bonn bordeaux boston boulogne
bradford brasilia bremen brighton brisbane bristol brussels bucharest budapest buenos_aires buffalo
cadiz cairo calais calcutta calgary cambridge canberra canterbury canton cape_town caracas cardiff
carlisle casablanca charleston charlotte chennai chester chicago cincinnati cleveland cologne
colombo columbus constantinople copenhagen cordoba cork coventry cracow dakar dallas damascus darwin
delhi new_delhi denver derby detroit dhaka dijon doha dover dresden dubai dublin dundee durban
durham edinburgh edmonton eton exeter florence frankfurt fresno galway gaza gdansk geneva genoa
ghent gibraltar glasgow gloucester gothenburg granada guadalajara guangzhou hague halifax hamburg
hanoi harare hartford harvard havana helsinki hiroshima hobart hong_kong honolulu houston hull
hyderabad indianapolis ipswich islamabad istanbul jakarta jericho jerusalem johannesburg kabul
kandahar kansas_city karachi kathmandu khartoum kiev kyiv kingston kinshasa krakow kuala_lumpur
kyoto lagos lahore lancaster las_vegas lausanne leeds leicester leipzig leningrad lhasa lichfield
lille lima limerick lincoln lisbon liverpool london los_angeles louisville lucerne lusaka lyons lyon
madras madrid malaga manchester manila marrakesh marseilles marseille mecca medina melbourne memphis
merida mexico_city miami milan milwaukee minneapolis minsk mombasa monte_carlo montevideo montreal
moscow mosul mumbai munich nagasaki nairobi nantes naples nashville newark newcastle new_haven
new_orleans new_york new_york_city nice nineveh norwich nottingham nuremberg oakland odessa omaha
orleans osaka oslo ottawa oxford padua palermo paris peking perth petersburg philadelphia phoenix
pisa pittsburgh plymouth portland portsmouth potsdam prague pretoria princeton providence quito
rangoon rawalpindi reading reykjavik richmond riga rio_de_janeiro rio riyadh rochester rome
rotterdam rouen sacramento saigon salisbury salonica salt_lake_city salzburg san_antonio san_diego
san_francisco san_jose santa_fe santiago sao_paulo sarajevo savannah seattle seoul seville shanghai
sheffield shenzhen smyrna sofia southampton stockholm st._louis st._petersburg st._paul strasbourg
stratford stuttgart sydney taipei tallinn tampa tangier tashkent tbilisi tehran tel_aviv tianjin
tokyo toledo topeka toronto toulon toulouse trieste tripoli troy tucson tulsa tunis turin ulster
utrecht valencia valparaiso vancouver venice vera_cruz verona versailles vienna vilnius vladivostok
warsaw washington wellington winchester windsor winnipeg wuhan yale yalta yokohama york zagreb
zurich
"""
PLACES = words(_COUNTRIES) | words(_STATES) | words(_REGIONS) | words(_CITIES)

# Adjectives of peoples, faiths and regions. Before a noun they are no names: "a French novel".
NATIONALITIES = words(
    """
    afghan african albanian algerian american anglican anglo anglo-saxon arab arabian arabic
    argentine argentinian armenian asian asiatic assyrian athenian australian austrian aztec
    babylonian balkan baptist basque bavarian belgian bengali bohemian bolivian brazilian breton
    british buddhist bulgarian burmese byzantine calvinist cambodian canadian cantonese caribbean
    carthaginian castilian catalan catholic caucasian celtic chilean chinese christian colombian
    communist confucian congolese coptic cornish corsican creole croatian cuban czech danish dutch
    eastern_european ecuadorian edwardian egyptian elizabethan english eskimo estonian ethiopian
    etruscan european filipino finnish flemish florentine french gaelic gallic genoese georgian
    german germanic ghanaian gothic greek haitian hawaiian hebrew hellenic hellenistic hindu
    hispanic hungarian icelandic incan indian indonesian inuit iranian iraqi irish islamic israeli
    italian jamaican japanese javanese jewish jordanian kenyan korean kurdish kuwaiti latin latina
    latino latvian lebanese liberian libyan lithuanian lutheran macedonian malay malaysian maltese
    mandarin maori mayan mediterranean methodist mexican milanese mongol mongolian moorish mormon
    moroccan moslem muslim napoleonic neapolitan nepalese nigerian nordic norman norse norwegian
    ottoman pakistani palestinian parisian parthian persian peruvian philippine phoenician polish
    polynesian portuguese presbyterian protestant prussian punic puritan quaker quechua roman
    romanian russian sanskrit saudi saxon scandinavian scotch scots scottish semitic senegalese
    serbian shiite siamese siberian sicilian sikh slavic slavonic slovak slovenian somali soviet
    spanish spartan sudanese sumerian sunni swahili swedish swiss syrian taiwanese tamil thai
    tibetan trojan tunisian turkish tuscan ugandan ukrainian urdu uruguayan venetian venezuelan
    victorian vietnamese viennese welsh yemeni yiddish zionist zulu afro-american african-american
    anglo-american asian-american indo-european franco-prussian democratic republican conservative
    liberal socialist marxist darwinian freudian newtonian shakespearean western eastern northern
    southern oriental occidental transatlantic transpacific
    """
)
# Nouns for the people of one country, faith or party.
GROUPS = words(
    """
    afghans africans albanians algerians americans arabs arabians argentines armenians asians
    assyrians athenians australians austrians babylonians baptists basques bavarians belgians
    bohemians bolsheviks brazilians britons buddhists bulgarians burghers calvinists canadians
    carthaginians catholics celts chileans christians communists confederates corinthians cossacks
    creoles croats cubans czechs danes democrats dutchmen egyptians englishmen englishwomen eskimos
    estonians ethiopians europeans filipinos finns florentines franks frenchmen frenchwomen gauls
    georgians germans ghanaians goths greeks gypsies haitians hebrews hindus hispanics huguenots
    hungarians huns incas indians indonesians iranians iraqis irishmen israelis israelites italians
    jacobins jacobites jamaicans jesuits jews jordanians kenyans koreans kurds latinos latvians
    lebanese liberals libyans lithuanians lombards lutherans macedonians malays maoris marxists
    mayans mexicans methodists mongols moors mormons moroccans moslems muslims nazis neapolitans
    nigerians normans norsemen norwegians ottomans pakistanis palestinians parisians persians
    peruvians pharisees philistines phoenicians poles portuguese protestants prussians puritans
    quakers republicans romanians romans russians samaritans saudis saxons scandinavians scotchmen
    scotsmen scots serbs shiites sicilians sikhs slavs socialists somalis soviets spaniards spartans
    swedes sunnis syrians tamils tartars tatars thais tibetans tories trojans turks ugandans
    ukrainians venetians venezuelans vietnamese vikings visigoths welshmen whigs yankees zulus
    """
)
# One of them is no name, "an Englishman", but may be part of one.
MEMBERS = words(
    """
    briton celt dane dutchman dutchwoman englishman englishwoman finn frank frenchman frenchwoman
    gaul goth gypsy irishman irishwoman israelite jesuit jew jewess lombard moor norseman pole
    samaritan scot scotchman scotsman serb slav spaniard swede tartar tory turk viking welshman whig
    yankee yorkshireman huguenot nazi democrat cossack philistine
    """
)

CALENDAR = words(
    """
    january february march april may june july august september october november december jan feb
    mar apr jun jul aug sep sept oct nov dec jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov.
    dec. monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays
    thursdays fridays saturdays sundays mon tue tues wed thu thur thurs fri sat sun mon. tue. wed.
    thu. fri. sat. sun. christmas easter michaelmas whitsun whitsuntide lent advent sabbath
    thanksgiving halloween hallowe'en ramadan hanukkah passover am pm a.m. p.m. a.d. b.c. ad bc ce
    bce b.c.e. c.e. gmt utc est pst edt
    """
)

# After a name, or its last word: what makes it an organisation.
DESIGNATORS = words(
    """
    inc inc. ltd ltd. co co. corp corp. corporation company limited llc l.l.c. llp plc p.l.c. gmbh
    ag s.a. n.v. bros bros. brothers
    """
)
ORGANISATION_HEADS = DESIGNATORS | words(
    """
    academy administration agency airlines airways alliance army assembly association athletic
    authority bank battalion board brigade broadcasting bureau cabinet centre center choir church
    club coalition college commission committee commons commonwealth community conference congress
    conservatory consortium convention council court crusade department directorate division
    electric embassy enterprises exchange faculty federation federal_reserve fleet force forces
    foundation fund gazette government group guild herald holdings hospital industries initiative
    institute institution insurance journal laboratories laboratory labs league legion library lords
    ministry mission motors movement museum navy network news observer office orchestra order
    organisation organization parliament partners partnership party police post press productions
    program programme publications publishers publishing radio railroad railway records red_cross
    regiment registry review school schools senate seminary service services society stores studio
    studios symphony syndicate systems synod team technologies telegraph telegram television theatre
    theater times tribune tribunal trust union united university
    """
)
ORGANISATIONS = words(
    """
    amazon amnesty_international apple arsenal associated_press bbc c.i.a. cia cbs cnn congress
    debian disney enron ebay european_union exxon f.b.i. facebook fbi fedex fema fifa ford_motor
    general_electric general_motors google greenpeace gnu hamas harvard hezbollah honda hp ibm ieee
    imf instagram intel interpol kgb labour_party lufthansa mi5 mi6 microsoft mit mozilla n.a.t.o.
    nasa nato nbc nba nfl nhl nintendo nokia nsa opec oxfam parliament pepsi pfizer red_cross
    reuters senate house_of_representatives house_of_commons house_of_lords supreme_court
    scotland_yard samsung sony spotify starbucks taliban tesla toyota twitter uefa un u.n. unesco
    unicef united_nations unhcr verizon volkswagen walmart wikimedia wikipedia who world_bank wto
    yahoo youtube al_qaeda al-qaeda gop isis aclu nyu ucla mcdonald
    """
)
PLACE_HEADS = words(
    """
    abbey airport alley archipelago arena avenue ave ave. bay beach boulevard blvd blvd. bridge
    brook building canal canyon cape castle cathedral cave cemetery channel chapel city cliffs coast
    common corner cottage county creek crescent crossing dale dam delta desert district dock docks
    drive estate falls farm field fields forest fort fountain garden gardens gate glacier glen green
    grove gulch gulf hall harbour harbor heath heights hill hills hotel house inn island islands
    isle isles junction kingdom lake lakes land lane lodge manor market marsh meadow meadows mill
    mine monastery monument moor mount mountain mountains oasis ocean palace park parish pass peak
    peninsula pier place plain plains plantation plateau plaza point pond port prairie prison
    province ranch range rapids reef region reservoir ridge river road rd rd. rock row ruins sea
    shore shire sound speedway spring springs square stadium state station strait straits stream
    street st st. swamp temple terrace territory tower town township trail tunnel turnpike vale
    valley villa village ville volcano ward waterfall way wharf wood woods zoo
    """
)
# Words after which "of" goes on with the name: the Bank of England, the Isle of Man, Duke of York.
JOINED_BY_OF = (
    ORGANISATION_HEADS
    | (PLACE_HEADS - words("corner state"))
    | words(
        """
        act archbishop art arts articles baron battle bill bishop book chamber chronicles church
        city confederation countess county court declaration dominion duchess duchy duke earl
        emirate emperor empire empress faculty fall gospel governor gulf head house isle isles joan
        king kingdom lady law lord lords mayor marquis master ministry order peace people pope
        prince princess principality queen realm republic republics rock seat secretary siege
        sisters society sons sovereign speaker state states statue sultan sultanate synod treaty
        tower united university viscount war wars william
        """
    )
)
# Small words that stand inside a name, between two large ones.
PARTICLES = words(
    """
    de del della delle dei degli di da dal das do dos du des la las le les los lo van von der den
    dem ter ten te zu zur zum af av al el bin ibn ben bint y e und et d' l' o' ap san santa abd
    """
)
# After a person's name.
HONOURS = words(
    """
    jr jr. sr sr. junior senior esq esq. esquire ii iii iv v vi vii viii ix xi xii xiii xiv xv xvi
    m.d. ph.d. phd md d.d. m.p. mp q.c. k.c. r.n. bart bart. ii. iii. iv.
    """
)
# Who is spoken of as speaking and thinking is a person, mostly.
SAYING = words(
    """
    said says say replied cried answered asked exclaimed whispered murmured muttered shouted
    returned remarked continued observed added thought wondered laughed smiled nodded sighed
    repeated inquired enquired began declared told spoke looked felt knew sat stood walked turned
    shook rose grinned shrugged growled insisted explained suggested protested wept frowned blushed
    paused rejoined retorted grumbled ejaculated interrupted mused argues argued wrote writes thinks
    believes believed married
    """
)
VERBS = SAYING | words(
    """
    is was has had were are have 's ’s did does do would could should will might may must can came
    comes went goes got gets made makes took takes gave gives saw sees seemed seems became becomes
    wanted wants loved loves lived lives died dies worked works played plays moved won lost held ran
    left kept put set let met heard found brought sent led fell drew threw caught opened called
    never always also
    """
)
# Large letters that name no person, place or organisation.
ACRONYMS = words(
    """
    ok o.k. tv dvd cd cds dvds vip iq eq ceo cfo coo cto dna rna hiv aids uv led leds lcd pc pcs gps
    faq diy usb url html xml json http https www pdf rgb wifi wi-fi atm id ids phd ph.d. md m.d. ba
    b.a. ma m.a. bsc msc mba m.b.a. mph kg km cm mm ml lb lbs oz ft hz khz mhz ghz kb mb gb tb usd
    gbp eur a.k.a. aka asap rsvp fyi btw lol omg wtf imo p.s. ps n.b. nb re cc bcc vs v. no. nos.
    pp. ed. eds. vol. fig. figs. eq. sec. ch. et al. etc. e.g. i.e. cf. viz. ibid. op. cit. no mr
    mrs ms dr st gdp ai api cpu gpu ram rom os ui ux it hr pr qa r&d ngo ngos iou sos ufo ufos mri
    ct icu er emt cpr adhd ptsd std stds bmi lgbt lgbtq pov dj mc vr ar 3d 2d hd sms sim pin lsd tnt
    ac dc a/c rpm psi nm mg mw kw l1 l2 q&a i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi
    xvii xviii xix xx xxi isbn issn doi anova sd se ci df
    """
)
# Words that are never a name, however they are written, nor the first or last word of one.
FUNCTION = words(
    """
    of a an the this that these those such same other another each every either neither both all any
    some none no not nor or and but yet so if unless until till while whilst whereas although though
    because since as than then thus hence therefore however moreover furthermore nevertheless
    nonetheless otherwise instead meanwhile besides likewise similarly indeed perhaps maybe probably
    certainly surely actually really finally eventually lastly firstly secondly thirdly first second
    third fourth fifth next last later earlier soon once twice again also too even just only still
    already almost nearly quite rather very much more most many few fewer less least little several
    enough here there where when why how what which who whom whose whoever whatever whenever
    wherever whether yes yeah yep nope okay well oh ah ha hey hi hello alas hurrah hush hallo halloa
    hullo ay aye nay lo pooh pshaw bah eh um uh hm hmm mm wow oops ouch thanks thank please sorry
    goodbye farewell welcome bye bravo amen gosh damn hell heavens i me my mine myself we us our
    ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
    itself they them their theirs themselves one ones oneself someone somebody something anyone
    anybody anything everyone everybody everything nobody nothing thou thee thy thine ye o in on at
    by for from with without to into onto upon over under above below about against between among
    amongst through throughout during before after behind beyond near beside inside outside across
    along around round toward towards within up down off out away back forward forwards despite
    regarding concerning considering according except excepting including like unlike per via am is
    are was were be been being have has had having do does did doing done will would shall should
    can could may might must ought dare need let lets ain't aren't can't cannot couldn't didn't
    doesn't don't hadn't hasn't haven't isn't shouldn't wasn't weren't won't wouldn't there's that's
    it's he's she's i'm i've i'll i'd you're you've we're we've they're they've let's what's who's
    where's here's 'tis 'twas tis twas ca wo n't ’t
    """
)
# Everyday words, which a large letter makes no names where a sentence or a heading begins.
COMMON = FUNCTION | words(
    """
    zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred hundreds thousand thousands million millions billion half quarter dozen accept act add
    address advise agree aim allow answer appear apply argue arrange arrive ask assume avoid base
    bear beat become began begin begun behave believe belong bend bet bid bind bite blow boil borrow
    bow break bring broke brought build built burn buy call called calm came care carry cast catch
    cause change charge chase check choose chop claim clean clear click climb close collect combine
    come comes compare complete connect consider contact contain continue control cook cool copy
    correct cost count cover create cross cry cut cuts dance deal decide deny depend describe design
    determine develop die dig discover discuss divide draw dream dress drew drink drive drop dry
    earn eat edit employ encourage end enjoy ensure enter establish examine excuse exercise expect
    experience explain explore express face fail fall fear feed feel fell felt fight figure fill
    find finish fit fix fly fold follow forget forgive form found freeze gain gather gave get gets
    give given gives go goes going gone got grab grew grow guess hand hang happen hate hear heard
    heat held help hide hit hold hope hurry hurt identify ignore imagine improve include increase
    inform insert intend invite involve join judge jump keep kept kick kill knew knock know known
    knows laugh lay lead lean learn leave led left lend lie lift light link list listen live load
    look looked looks lose lost love made maintain make makes manage marry matter mean means measure
    meet mention met mind miss mix move name note notice observe obtain occur offer open order own
    pack paint park pass pay perform pick place plan plant play point pour practice practise pray
    prefer prepare present preserve press pretend prevent print proceed produce promise protect
    prove provide publish pull push put puts question raise ran reach read realise realize receive
    recognise recognize record reduce refer reflect refuse relax release remain remember remove
    repeat replace reply report represent require rest result return ride ring rise roll rub rule
    run runs rush said sat save saw say says search season see seem seen select sell send serve set
    shake share shoot show shut sign sing sit sleep slip smell smile sort sound speak spend split
    spread stand start state stay steal step stick stir stood stop store strike study submit succeed
    suffer suggest suit supply support suppose switch take taken takes talk taste teach tear tell
    test think thought throw tie told took touch train transfer travel treat tried trust try turn
    turned type understand unite update use used using visit vote wait wake walk want warn wash
    watch wear went win wipe wish wonder work worked worry would-be wrap write wrote yield able
    absolute academic active actual additional afraid alike alive alone amazing ancient angry annual
    anxious available average awful bad bare basic beautiful best better big bitter black blind blue
    bold brave brief bright broad brown busy careful central certain cheap chief civil classic
    clever cold commercial common complex critical cruel current curious daily damp dark dead deaf
    dear dearest deep delicious different difficult direct dirty distant double dull eager early
    easy eastern economic elderly electric elegant empty entire equal essential evident evil exact
    excellent extra extreme fair false familiar famous far fast fat fatal fellow female few final
    fine firm flat foolish foreign former fortunate free frequent fresh friendly full funny future
    general gentle genuine giant glad global golden good grand grateful gray great green grey guilty
    handsome happy hard healthy heavy high historic historical holy honest hot huge human humble
    hungry ideal ill immediate important impossible independent individual initial inner innocent
    interesting internal international jealous joint junior key kind large late latest lazy legal
    local lonely long loose loud lovely low lower lucky mad main major male married medical medium
    mental mere merry mild military minor mixed modern moral much mutual mysterious narrow nasty
    national native natural neat necessary negative nervous neutral new nice noble noisy normal
    northern numerous obvious odd official old older only opposite orange ordinary original outer
    overall pale particular past patient perfect permanent personal physical pink plain pleasant
    political poor popular positive possible powerful precious pretty previous primary prime private
    probable professional proper proud public pure purple quick quiet rapid rare raw ready real
    recent red regular relevant religious rich right rough round royal rude rural sacred sad safe
    scientific secret senior sensitive separate serious severe shallow sharp short shy sick silent
    silly similar simple single slight slow small smart smooth social soft solid southern special
    specific square standard steady steep stiff strange strict strong stupid subject successful
    sudden sufficient suitable super supreme sure sweet swift tall technical temporary tender
    terrible thick thin tight tiny tired top total tough traditional true typical ugly unable
    underground unfair unhappy unique universal unknown unlikely unusual upper upset urban urgent
    useful usual vague valid valuable various vast violent virtual visible vital warm weak wealthy
    weary western wet white whole wide wild wise wonderful wooden worse worst worth worthy wrong
    yellow young younger ability absence accident account action activity actor addition adult
    advantage adventure advice affair age agreement aid air ambition amount analysis angel animal
    animals apartment apology appendix apple application approach area arm arms army arrival art
    article aspect assistant attack attempt attention attitude attorney audience aunt author
    authorities autumn background bag ball band bar barrel basis basket bath beach bean beauty bed
    beer beginning behaviour behavior being belief bell benefit bible bird birds birth birthday bit
    blood board boat boats bodies body book books border boss bottle bottom bowl box boy boys brain
    branch bread breakfast breath bride bridge brother brothers building burden bus business butter
    button cabin cake camera camp candle capital captain car card career cars case cases castle cat
    category cats cattle ceiling cell century ceremony chain chair challenge chamber champion chance
    chances chapter character characteristics charity chicken child childhood children choice church
    circle circumstances cities citizen citizens city class classes climate clock clothes cloud
    clouds club coach coal coast coat coffee collection college colonel colour color comfort comment
    comments company competition computer concept conclusion conclusions condition conditions
    conference confidence conflict congratulations conscience contents context contract contrast
    contrary conversation corner council counsel countries country couple courage course court
    courts cousin cow cream creature creatures credit crime criminal crisis critics crowd crown
    culture cup curtain customer customers dad daddy damage danger data date daughter daughters day
    days death debate debt decision degree delay delight demand democracy department desire desk
    destiny detail details development devil diamond diet difference difficulties difficulty dinner
    direction director disaster discovery discussion disease dish distance doctor doctors document
    dog dogs dollar door doors doubt dreams dresses driver drug drugs dust duties duty ear ears
    earth east economics economy edge education effect effects effort efforts egg eggs election
    elections element elements emotion emperor employees employment enemies enemy energy engine
    engineering entrance entry environment equipment error evening event events evidence example
    examples exchange existence expert experts explanation eye eyes fact factor factors facts
    failure faith families family farm farmers fashion fate father fathers fault favour favor
    feature features feeling feelings feet field fields film finger fingers fire fish flag flame
    flight floor flour flower flowers folk folks food foot force forces forest forgiveness fortune
    foundation freedom friend friends friendship front fruit fruits function fun funds funeral
    furniture game games garden garlic gas gate gentleman gentlemen ghost gift girl girls glass
    glory goal goals god gods gold goodness government governor grandfather grandma grandmother
    grandpa grass gratitude ground group groups growth guard guest guests guide guidelines guitar
    gun guns guy guys habit hair hall hands happiness harmony hat head health heart hearts heaven
    height hero highness hill hills history hole holiday home homes honesty honey honor honour hopes
    horror horse horses hospital hotel hour hours house household houses humanity humans hunger
    husband ice idea ideas image images imagination impact importance impression independence
    individuals industry infant influence information injury ink innocence input inside instructions
    instruments insurance intelligence interest interests interview introduction investigation
    investment iron island issue issues item items job jobs journey joy judges judgment jury justice
    justices king kings kitchen knife knight knights knowledge labour labor lad ladies lady lake
    land language languages law laws lawyer lawyers layer leader leaders leaf leaves lecture
    legislation lemon length lesson lessons letter letters level liberty library life lights limits
    line lines lion lips literature lives loan locations lord lords loss lots luck lunch machine
    machines madam magic maid majority mamma mama man mankind manner map mark market marriage mass
    master material materials maximum meal meaning meat media medicine meeting member members
    membership memories memory men menu message method methods middle midnight mile miles milk mill
    minimum minister ministers minute minutes mirror misery mistake mistress model mom moment money
    monster month months mood moon morality morning mother mothers motion mountain mountains mouth
    movement movie movies mr mrs mud multiple mum murder music nation nations nature neck needs
    neighbor neighbors neighbour neighbours news newspaper newspapers night nights noise noon north
    nose notes notion novel number numbers nurse object objective objectives objects ocean office
    officer officers officials oil onion onions opera opinion opinions opportunity option options
    organisations organizations others outcome output overview owner oxygen page pages pain pair
    palace pan papa paper papers paradise parent parents parliament part participants parties
    partner parts party passage passengers passion path patience patients pattern patterns peace pen
    pension people peoples pepper percent performance period permission person personality persons
    perspective phase philosophy phone photo photos phrase picture pictures piece pieces pity places
    plans plants plate player players pleasure plenty poem poems poet poetry poets points police
    policy politics population port position possession post pot potatoes poverty power powers
    praise prayer pregnancy president pressure pride priest prince princess principal principle
    prison prisoners privacy prize problem problems process product production products professor
    profit program programme progress project projects promises proof property protection protein
    publication punishment purpose quality queen quest questions race rage rain range rate ratio
    reaction reader readers reading reality reason reasons recipe recommendations rector reference
    references reform regret relation relations relationship relationships relief religion remains
    remark research researchers residents resource resources respect response responsibility
    restaurant results review revolution reward rice rights risk risks river road roads rock rocks
    role romance room rooms root roots row rules sail sake salt sample sand sauce scene scenes
    school schools science sciences scientists score sea seat secretary section sections security
    seed seeds senate sense sentence series servant servants service services session settings
    shadow shadows shame shape sheep sheet ship ships shirt shoes shop shops shore shot shoulder
    side sides sight signs silence silver sin sir sire sirs sister sisters site situation size skill
    skills skin sky slave slaves snow society soil soldier soldiers solution son song songs sons
    soul souls source sources south space speaker speakers species speech speed spirit spirits spite
    sport sports spot spring staff stage stairs star stars statement states station steps stock
    stone stones stories storm story stranger strategy street streets strength stress string
    structure struggle student students studies stuff style subjects success sugar sum summary
    summer sun supper surface surprise survey symptoms system systems table tables tale talent task
    tasks tax taxes tea teacher teachers team teams tears technique technology teeth temper
    temperature tens term terms tests text theme theory thing things threat thursday time times tip
    tips title tobacco today toe tomorrow to-morrow to-day to-night tongue tonight tools topic
    topics tower town towns track trade tradition traffic tragedy training trains translation
    transport travelers travellers treatment tree trees trial tribe tricks trip trips troops trouble
    troubles truth twins types uncle unit units unity university user users vacation valley value
    values variety vehicle vehicles version vessel victim victims victory video videos view views
    village villagers villages violence virtue vision visitors voice voices volume volunteers wages
    waiter walls war warning warnings wars waste water waters wave waves wealth weapons weather web
    website wedding week weekend weeks weight west wheel wheels wife wind window windows wine wing
    winter wisdom witness witnesses wives woman women wood woods word words worker workers workshop
    world worlds worship writer writers writing year years yesterday youth zone abstract
    acknowledgements acknowledgments bibliography copyright edition editor footnote footnotes
    glossary index methodology preface prologue epilogue stanza canto chorus verse exhibit clause
    paragraph subsection amendment warranties parlour housekeeper boots dr prof
    """
)
