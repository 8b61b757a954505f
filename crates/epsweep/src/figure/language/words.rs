//! The fixed texts, in the order of [`super::Language::ALL`].

macro_rules! words {
    ($($name:ident: $en:literal, $de:literal, $fr:literal, $zh:literal;)*) => {
        /// A fixed text of figures; `{}` is a gap for [`fill`](super::fill).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Word {
            $(#[doc = $en] $name,)*
        }

        impl Word {
            /// All of them.
            #[cfg(test)]
            pub const ALL: &'static [Word] = &[$(Word::$name,)*];

            /// The text in each language, in the order of [`Language::ALL`].
            pub(super) fn texts(self) -> [&'static str; 4] {
                match self {
                    $(Word::$name => [$en, $de, $fr, $zh],)*
                }
            }
        }
    };
}

words! {
    ProvenanceOfOne: "{} trial per cell, seed {}.", "{} Versuch je Zelle, Startwert {}.", "{} essai par cellule, graine {}.", "每格 {} 次试验，种子 {}。";
    Provenance: "{} trials per cell, seed {}.", "{} Versuche je Zelle, Startwert {}.", "{} essais par cellule, graine {}.", "每格 {} 次试验，种子 {}。";
    Chosen: "Shown: {}.", "Gezeigt: {}.", "Affiché : {}.", "所示：{}。";
    ExactOnly: "Exact values; nothing is simulated.", "Exakte Werte; nichts ist simuliert.", "Valeurs exactes ; rien n’est simulé.", "精确值，未作模拟。";
    FromTo: "{} to {}", "{} bis {}", "{} à {}", "{} 至 {}";
    MeanOf: "mean {}", "Mittel: {}", "moyenne : {}", "{}的均值";

    Better: "better", "besser", "mieux", "更好";
    Worse: "worse", "schlechter", "moins bien", "更差";
    Lower: "lower", "niedriger", "plus bas", "更低";
    Higher: "higher", "höher", "plus haut", "更高";

    MeanAgainst: "Mean of the {}: differences from {}", "Mittel von: {} – Unterschiede zu {}", "Moyenne : {} – écarts à {}", "{}的均值：与 {} 之差";
    MeanInPairs: "Mean of the {}: differences between pairs", "Mittel von: {} – Unterschiede zwischen Paaren", "Moyenne : {} – écarts entre paires", "{}的均值：两两之差";
    DifferenceFrom: "{}: difference from {}", "{}: Unterschied zu {}", "{} : écart à {}", "{}：与 {} 之差";
    RelativeDifference: "difference in % of the mean of {}", "Unterschied in % des Mittels von {}", "écart en % de la moyenne de {}", "与 {} 均值之差（%）";
    DifferencesCaption: "Whiskers: {} intervals of the mean paired difference; filled: told from 0 (p < {}, adjusted), hollow: not.", "Striche: {}-Intervalle des mittleren gepaarten Unterschieds; gefüllt: von 0 zu unterscheiden (p < {}, angepasst), hohl: nicht.", "Traits : intervalles à {} de l’écart apparié moyen ; plein : distinct de 0 (p < {}, ajusté), creux : non.", "须线：配对均值差的 {} 区间；实心：与 0 有别（校正 p < {}），空心：无别。";
    ArrowsCut: "An arrow stands for an interval that goes on beyond the axis.", "Ein Pfeil steht für ein Intervall, das weiterreicht.", "Une flèche indique un intervalle qui se prolonge.", "箭头表示区间延伸出图外。";
    DrawnOnce: "Blocks of the same numbers are drawn once, under all their names.", "Blöcke mit denselben Zahlen sind einmal gezeichnet, unter allen ihren Namen.", "Les blocs de mêmes nombres sont tracés une fois, sous tous leurs noms.", "数字相同的各组只画一次，标题列出全部名称。";
    ExactDifferences: "Without whiskers: exact differences, where trials tell too little for a percentage ({}).", "Ohne Striche: exakte Unterschiede, wo die Versuche für einen Prozentwert zu wenig sagen ({}).", "Sans traits : écarts exacts, où les essais en disent trop peu pour un pourcentage ({}).", "无须线：试验不足以给出百分比之处，用精确差（{} 个）。";
    DifferencesInUnits: "Numbers without a mark: differences in the measure’s own units, where trials tell too little for a percentage ({}).", "Zahlen ohne Punkt: Unterschiede in den Einheiten des Maßes, wo die Versuche für einen Prozentwert zu wenig sagen ({}).", "Nombres sans point : écarts dans les unités de la mesure, où les essais en disent trop peu pour un pourcentage ({}).", "只有数字之处：试验不足以给出百分比，差以该度量自身的单位表示（{} 个）。";
    NoBase: "{} comparisons with a baseline mean that is not positive have no percentage.", "{} Vergleiche, deren Bezugsmittel nicht positiv ist, haben keinen Prozentwert.", "{} comparaisons dont la moyenne de référence n’est pas positive n’ont pas de pourcentage.", "{} 个比较的基准均值非正，无百分比。";
    NoComparison: "no comparison was recorded", "kein Vergleich ist verzeichnet", "aucune comparaison enregistrée", "无比较记录";

    HowOftenAgainst: "How often in a trial: {} {} than {}", "Wie oft in einem Versuch: {}: {} als {}", "Combien de fois par essai : {} : {} que {}", "单次试验中{}的频率：{}（相对 {}）";
    HowOftenPairs: "How often in a trial: {} {} than the column", "Wie oft in einem Versuch: {}: {} als die Spalte", "Combien de fois par essai : {} : {} que la colonne", "单次试验中{}的频率：{}（行相对列）";
    WinTieLoss: "Numbers: % of trials won / tied / lost by the row.", "Zahlen: % der Versuche, die die Zeile gewinnt / gleich / verliert.", "Nombres : % des essais gagnés / égaux / perdus par la ligne.", "数字：该行胜 / 平 / 负的试验占比（%）。";
    WinsOnly: "Numbers: % of trials won by the row, where there is room; ties and losses are in the file beside it.", "Zahlen, wo Platz ist: % der Versuche, die die Zeile gewinnt; Gleichstände und Niederlagen stehen in der Datei daneben.", "Nombres, si la place suffit : % des essais gagnés par la ligne ; égalités et défaites dans le fichier voisin.", "数字（位置足够时）：该行获胜的试验占比（%）；平与负见同名文件。";
    AlwaysWins: "always better", "immer besser", "toujours mieux", "总是更好";
    EvenlyMatched: "as often as not", "gleich oft", "aussi souvent", "各半";
    AlwaysLoses: "always worse", "immer schlechter", "toujours moins bien", "总是更差";

    DistributionOf: "Distribution of the {} over trials", "Verteilung über die Versuche: {}", "Répartition sur les essais : {}", "{}在各次试验中的分布";
    ShareOfTrials: "share of trials at or below", "Anteil der Versuche bis hierher", "part des essais au plus égale", "不超过该值的试验占比";
    ExactQuantiles: "exact quantiles", "exakte Quantile", "quantiles exacts", "精确分位数";
    EcdfCaption: "Bands: {} for the whole function at once (Dvoretzky–Kiefer–Wolfowitz–Massart).", "Bänder: {} für die ganze Funktion zugleich (Dvoretzky–Kiefer–Wolfowitz–Massart).", "Bandes : {} pour toute la fonction à la fois (Dvoretzky–Kiefer–Wolfowitz–Massart).", "色带：对整个函数同时成立的 {} 置信带（Dvoretzky–Kiefer–Wolfowitz–Massart）。";
    NoHistogram: "no histogram was recorded", "kein Histogramm ist verzeichnet", "aucun histogramme enregistré", "无直方图记录";

    TwoErrors: "{} of one query against that of another", "{}: eine Abfrage gegen eine andere", "{} : une requête contre une autre", "{}：一查询对另一查询";
    Front: "front: nothing beats it in both", "Front: nichts ist in beidem besser", "front : rien n’est mieux sur les deux", "前沿：无一在两者上更优";
    ParetoCaption: "Ringed: on the front. Crosses: {} intervals of the means.", "Umringt: auf der Front. Kreuze: {}-Intervalle der Mittel.", "Cerclé : sur le front. Croix : intervalles à {} des moyennes.", "带圈：在前沿上。十字：均值的 {} 区间。";
    NeedsTwo: "two queries with errors of their own are needed", "zwei Abfragen mit eigenen Fehlern sind nötig", "il faut deux requêtes avec leurs propres erreurs", "需要两个各有误差的查询";
    NothingFinite: "nothing finite to show", "nichts Endliches zu zeigen", "rien de fini à montrer", "无有限值可示";
    HiddenOnLog: "{} means that are not positive are not shown on the log axis.", "{} nicht positive Mittel fehlen auf der logarithmischen Achse.", "{} moyennes non positives manquent sur l’axe logarithmique.", "{} 个非正均值未显示在对数轴上。";

    SharesTitle: "What each query gets of the budget", "Was jede Abfrage vom Budget bekommt", "Ce que chaque requête reçoit du budget", "各查询所得的预算份额";
    ShareOfBudget: "share of the budget (%)", "Anteil am Budget (%)", "part du budget (%)", "预算份额（%）";
    SharesCaption: "Computed from the experiment; nothing is simulated.", "Aus dem Experiment berechnet; nichts ist simuliert.", "Calculé d’après l’expérience ; rien n’est simulé.", "由实验设定算得，未作模拟。";
    Divided: "What is divided: {}.", "Was geteilt wird: {}.", "Ce qui est divisé : {}.", "被划分的是：{}。";
    NothingShared: "no budget is divided", "kein Budget wird geteilt", "aucun budget n’est divisé", "没有划分预算";
    Others: "{} others", "{} andere", "{} autres", "其余 {} 个";

    InAllSettings: "{} in all settings", "{} – alle Einstellungen", "{} – tous les réglages", "{}：全部设定";
    NestedCaption: "Steps: means. Below: the value of each factor, the outermost loop on top.", "Stufen: Mittel. Darunter: der Wert jedes Faktors, die äußerste Schleife oben.", "Marches : moyennes. Dessous : la valeur de chaque facteur, la boucle extérieure en haut.", "阶梯：均值。下方：各因素取值，最外层循环在上。";
    TrackValues: "Steps of {}: {}.", "Stufen von {}: {}.", "Marches de {} : {}.", "{} 的台阶：{}。";
    MoreSettings: "{} more settings are in {}; `cells` chooses.", "{} weitere Einstellungen stehen in {}; `cells` wählt aus.", "{} autres réglages sont dans {} ; `cells` choisit.", "另有 {} 个设定见 {}；用 `cells` 选取。";

    ErrorAgainstTrials: "Monte Carlo error of the {} against trials", "Monte-Carlo-Fehler gegen Versuche – {}", "Erreur de Monte-Carlo selon les essais – {}", "{}的蒙特卡洛误差与试验次数";
    Trials: "trials", "Versuche", "essais", "试验次数";
    McseOf: "standard error: {}", "Standardfehler: {}", "erreur type : {}", "标准误：{}";
    ConvergenceCaption: "Points: the first {} to {} trials. Dashed: 1/√n through the last point.", "Punkte: die ersten {} bis {} Versuche. Gestrichelt: 1/√n durch den letzten Punkt.", "Points : les {} à {} premiers essais. Tirets : 1/√n par le dernier point.", "点：前 {} 至 {} 次试验。虚线：过末点的 1/√n。";
    NoConvergence: "no errors after fewer trials were recorded", "keine Fehler nach weniger Versuchen verzeichnet", "aucune erreur après moins d’essais enregistrée", "无较少试验次数下的误差记录";

    MeanTitle: "Mean of the {}", "Mittel: {}", "Moyenne : {}", "{}的均值";
    MeanAgainstAxis: "Mean of the {} against {}", "Mittel: {} gegen {}", "Moyenne : {} selon {}", "{}的均值与 {}";
    HistogramOf: "Histogram of the {} over trials", "Histogramm über die Versuche: {}", "Histogramme sur les essais : {}", "{}在各次试验中的直方图";
    Exact: "exact", "exakt", "exact", "精确";
    Mean: "mean", "Mittel", "moyenne", "均值";
    TrueValue: "true value", "wahrer Wert", "vraie valeur", "真值";
    WithoutPrivacy: "without privacy", "ohne Privatheit", "sans confidentialité", "无隐私保护";
    PrivacyBudget: "privacy budget {}", "Privatheitsbudget {}", "budget de confidentialité {}", "隐私预算 {}";
    Density: "density", "Dichte", "densité", "密度";
    DensityPerDecade: "density per decade", "Dichte je Zehnerpotenz", "densité par décade", "每十倍程密度";
    BarsCaption: "Bars: means; whiskers: {} intervals of the means{}.", "Balken: Mittel; Striche: {}-Intervalle der Mittel{}.", "Barres : moyennes ; traits : intervalles à {} des moyennes{}.", "条：均值；须线：均值的 {} 区间{}。";
    ExactTicks: "; black ticks: exact values", "; schwarze Striche: exakte Werte", " ; traits noirs : valeurs exactes", "；黑线：精确值";
    BoxCaption: "Boxes: quartiles with the median; whiskers: furthest values within 1.5 box lengths{}; rings: values beyond, one per recorded bin.", "Kästen: Quartile mit Median; Striche: fernste Werte innerhalb von 1,5 Kastenlängen{}; Ringe: Werte jenseits davon, einer je Klasse.", "Boîtes : quartiles et médiane ; traits : valeurs les plus éloignées à 1,5 longueur de boîte au plus{} ; anneaux : valeurs au-delà, une par classe.", "箱：四分位数与中位数；须线：1.5 倍箱长内最远值{}；圆环：更远的值，每箱区一个。";
    OnLogScale: " (on the axis's log scale)", " (auf der logarithmischen Achse)", " (sur l’échelle logarithmique)", "（按对数轴）";
    HistogramCaption: "Areas: share of the trials; dashed: means; curves: exact densities, where known.", "Flächen: Anteil der Versuche; gestrichelt: Mittel; Kurven: exakte Dichten, wo bekannt.", "Aires : part des essais ; tirets : moyennes ; courbes : densités exactes si connues.", "面积：试验占比；虚线：均值；曲线：精确密度（若已知）。";
    LinesCaption: "Lines: means; narrow ribbons: {} intervals of the means; wide ribbons: 5–95 % of the trials.", "Linien: Mittel; schmale Bänder: {}-Intervalle der Mittel; breite Bänder: 5–95 % der Versuche.", "Lignes : moyennes ; rubans étroits : intervalles à {} des moyennes ; rubans larges : 5–95 % des essais.", "线：均值；窄带：均值的 {} 区间；宽带：试验的 5–95 %。";
    MeansCaption: "Lines: means; ribbons: {} intervals of the means.", "Linien: Mittel; Bänder: {}-Intervalle der Mittel.", "Lignes : moyennes ; rubans : intervalles à {} des moyennes.", "线：均值；色带：均值的 {} 区间。";
    DensityCut: "Exact densities are cut at the top (triangles); they go up to {}.", "Exakte Dichten sind oben abgeschnitten (Dreiecke); sie reichen bis {}.", "Les densités exactes sont coupées en haut (triangles) ; elles montent jusqu’à {}.", "精确密度在顶端被截断（三角），最高达 {}。";
    BeyondAxis: "Trials beyond the axis", "Versuche jenseits der Achse", "Essais au-delà de l’axe", "轴外的试验";
    OutlyingBeyond: "Outlying trials beyond the axis (triangles)", "Ausreißer jenseits der Achse (Dreiecke)", "Essais extrêmes au-delà de l’axe (triangles)", "轴外的离群试验（三角）";
    BelowLog: "Trials that are ≤ 0 and lie below the log axis (triangles)", "Versuche ≤ 0, unterhalb der logarithmischen Achse (Dreiecke)", "Essais ≤ 0, sous l’axe logarithmique (triangles)", "≤ 0 而位于对数轴之下的试验（三角）";
    Unnumbered: "{} points lie too close to others to carry their number.", "{} Punkte liegen zu dicht an anderen für ihre Nummer.", "{} points sont trop proches d’autres pour porter leur numéro.", "{} 个点过近，未标编号。";

    WhoIsChosen: "Who is chosen, and how often", "Wer gewählt wird, und wie oft", "Qui est choisi, et à quelle fréquence", "选中了谁，频率如何";
    WhatGatesFind: "What the gates find, against {}", "Was die Schranken finden, gegen {}", "Ce que trouvent les portes, selon {}", "各门的发现与 {}";
    GatesTitle: "Error and privacy of the gates", "Fehler und Privatheit der Schranken", "Erreur et confidentialité des portes", "各门的误差与隐私";
    LargestLoss: "largest |log-ratio| / claimed ε", "größtes |Log-Verhältnis| / behauptetes ε", "plus grand |log-rapport| / ε annoncé", "最大|对数比| / 声称的 ε";
    DescentTitle: "Loss along the descent", "Verlust entlang des Abstiegs", "Perte au fil de la descente", "下降过程中的损失";
    Step: "step", "Schritt", "pas", "步";
    ByPosition: "{}, position by position", "{} – Stelle für Stelle", "{}, position par position", "{}：逐个位置";
    SpentTitle: "What has been spent, position by position", "Was verbraucht ist, Stelle für Stelle", "Ce qui est dépensé, position par position", "逐个位置的累计花费";
    PositionInStream: "position in the stream", "Stelle im Strom", "position dans le flux", "数据流中的位置";
    PositionsCaption: "Points: means over a group of positions, drawn in its middle; bands: the middle half of the trials.", "Punkte: Mittel über eine Gruppe von Stellen, in deren Mitte gezeichnet; Bänder: die mittlere Hälfte der Versuche.", "Points : moyennes sur un groupe de positions, placées en son milieu ; bandes : la moitié centrale des essais.", "点：一组位置的均值，画在该组中间；色带：居中一半的试验。";
    SpentCaption: "Bands: quantiles over the trials, at the end of each group of positions; nothing is spent before the first.", "Bänder: Quantile über die Versuche, am Ende jeder Gruppe von Stellen; vor der ersten ist nichts verbraucht.", "Bandes : quantiles sur les essais, à la fin de chaque groupe de positions ; rien n’est dépensé avant la première.", "色带：各组位置末尾处试验的分位数；首个位置之前无花费。";
    Median: "median", "Median", "médiane", "中位数";
    OfTheTrials: "{} of the trials", "{} der Versuche", "{} des essais", "{} 的试验";
    TheBudget: "the budget", "das Budget", "le budget", "预算";
    Against: "{} against {}", "{} gegen {}", "{} selon {}", "{}与 {}";
    NumberOfReleases: "number of releases", "Zahl der Veröffentlichungen", "nombre de publications", "发布次数";
    DeviationsTitle: "How far estimates are from their exact values", "Wie weit Schätzungen von ihren exakten Werten liegen", "À quelle distance les estimations sont de leurs valeurs exactes", "估计值与精确值相差多远";
    Deviations: "deviations", "Abweichungen", "écarts", "偏差数";
    ZScore: "z = (estimate − exact) / standard error", "z = (Schätzung − exakt) / Standardfehler", "z = (estimation − exact) / erreur type", "z =（估计 − 精确）/ 标准误";
    NormalLaw: "normal law", "Normalverteilung", "loi normale", "正态分布";
    BiasTitle: "Bias² and variance of the {} against {}", "Verzerrung² und Varianz: {} gegen {}", "Biais² et variance : {} selon {}", "{}的偏差²和方差与 {}";
    SquaredMeanTitle: "Squared mean and variance of the {} against {}", "Quadriertes Mittel und Varianz: {} gegen {}", "Carré de la moyenne et variance : {} selon {}", "{}的均值平方和方差与 {}";
    WhichIsBest: "Which {} is best, and what the others lose", "Welcher Wert am besten ist, und was die anderen verlieren – {}", "Quelle valeur est la meilleure, et ce que perdent les autres – {}", "哪个 {} 最好，其余损失多少";
    By: "{} by {}", "{} nach {}", "{} selon {}", "{}（按 {}）";
    SdOf: "standard deviation of {}", "Standardabweichung: {}", "écart type : {}", "{}的标准差";
    LeastOf: "least {}", "kleinster Wert: {}", "plus petite valeur : {}", "{}的最小值";
    MedianOf: "median {}", "Median: {}", "médiane : {}", "{}的中位数";
    LargestSeen: "largest {} seen", "größter gesehener Wert: {}", "plus grande valeur vue : {}", "所见最大的{}";
    QuantileOf: "{} % quantile of {}", "{}-%-Quantil: {}", "quantile à {} % : {}", "{} % 分位数：{}";
    And: "and", "und", "et", "与";
    Cell: "cell", "Zelle", "cellule", "格";
    NoisyAnswers: "Noisy answers: {}", "Verrauschte Antworten: {}", "Réponses bruitées : {}", "加噪答案：{}";
    ErrorOfQueries: "Mean |error| of each query", "Mittlerer |Fehler| jeder Abfrage", "|Erreur| moyenne de chaque requête", "各查询的平均|误差|";
    LargestOfTrials: "Largest |error| of each trial", "Größter |Fehler| jedes Versuchs", "Plus grande |erreur| de chaque essai", "每次试验的最大|误差|";

    ProbabilityChosen: "probability to be chosen", "Wahrscheinlichkeit, gewählt zu werden", "probabilité d’être choisi", "被选中的概率";
    Simulated: "simulated", "simuliert", "simulé", "模拟";
    ExactBars: "Bars: exact values.", "Balken: exakte Werte.", "Barres : valeurs exactes.", "条：精确值。";
    NoExactBars: "No exact values are known.", "Exakte Werte sind nicht bekannt.", "Aucune valeur exacte n’est connue.", "精确值未知。";
    SimulatedPoints: "Points: simulated means with {} intervals.", "Punkte: simulierte Mittel mit {}-Intervallen.", "Points : moyennes simulées et intervalles à {}.", "点：模拟均值及 {} 区间。";
    BrokenGate: "{} (broken)", "{} (fehlerhaft)", "{} (défectueuse)", "{}（有误）";
    GatesCaption: "Left: simulated means. Right: exact, over all outputs on the stream and on its neighbour; ∞ (a bar without end): an output that is possible on one side only. Below the dashed line the claim holds on these two. Hatched in the second colour: broken gates.", "Links: simulierte Mittel. Rechts: exakt, über alle Ausgaben auf dem Strom und auf seinem Nachbarn; ∞ (ein Balken ohne Ende): eine Ausgabe, die nur auf einer Seite möglich ist. Unter der gestrichelten Linie gilt die Behauptung für diese beiden. Schraffiert in der zweiten Farbe: fehlerhafte Schranken.", "À gauche : moyennes simulées. À droite : exact, sur toutes les sorties du flux et de son voisin ; ∞ (une barre sans fin) : une sortie possible d’un seul côté. Sous les tirets, l’annonce est tenue pour ces deux flux. Hachuré dans la seconde couleur : portes défectueuses.", "左：模拟均值。右：在数据流及其相邻流的全部输出上的精确值；∞（无顶的条）：仅一侧可能的输出。虚线以下，所称隐私对这两者成立。第二种颜色的斜线：有误的门。";
    LossCaption: "Lines: means over the trials; bands: 5–95 % of the trials.", "Linien: Mittel über die Versuche; Bänder: 5–95 % der Versuche.", "Lignes : moyennes sur les essais ; bandes : 5–95 % des essais.", "线：试验均值；色带：试验的 5–95 %。";
    BiasSquared: "bias²", "Verzerrung²", "biais²", "偏差²";
    SquaredMean: "squared mean", "quadriertes Mittel", "carré de la moyenne", "均值平方";
    Variance: "variance", "Varianz", "variance", "方差";
    SumOfBoth: "their sum, the mean square", "ihre Summe, das mittlere Quadrat", "leur somme, le carré moyen", "两者之和，即均方";
    LeastAt: "least sum at {} = {}", "kleinste Summe bei {} = {}", "plus petite somme à {} = {}", "和最小处 {} = {}";
    MeanSquareOf: "mean square of the {}", "mittleres Quadrat: {}", "carré moyen : {}", "均方：{}";
    EstimatesCaption: "Lines: estimates; ribbons: {} intervals{}.", "Linien: Schätzungen; Bänder: {}-Intervalle{}.", "Lignes : estimations ; rubans : intervalles à {}{}.", "线：估计值；色带：{} 区间{}。";
    BelowAxes: "Values that lie below the axes and are not shown: {}.", "Werte unterhalb der Achsen, die nicht gezeigt sind: {}.", "Valeurs sous les axes, non montrées : {}.", "位于坐标轴之下而未显示的值：{} 个。";
    PanelOutside: "In ({}), {} outlying trials beyond the axis (triangles).", "In ({}) {} Ausreißer jenseits der Achse (Dreiecke).", "Dans ({}), {} essais extrêmes au-delà de l’axe (triangles).", "（{}）中另有 {} 次离群试验在轴外（三角）。";
    PanelBoxes: "(a), (b): quartiles with the median, whiskers to the furthest values within 1.5 box lengths, rings beyond; each has an axis of its own.", "(a), (b): Quartile mit Median, Striche bis zu den fernsten Werten innerhalb von 1,5 Kastenlängen, Ringe jenseits davon; jedes hat eine eigene Achse.", "(a), (b) : quartiles et médiane, traits jusqu’aux valeurs les plus éloignées à 1,5 longueur de boîte au plus, anneaux au-delà ; chacun a son axe.", "(a)、(b)：四分位数与中位数，须线至 1.5 倍箱长内最远值，圆环为更远的值；各有自己的轴。";
    PanelBars: "(c): means with {} intervals; black ticks are exact.", "(c): Mittel mit {}-Intervallen; schwarze Striche sind exakt.", "(c) : moyennes et intervalles à {} ; les traits noirs sont exacts.", "(c)：均值及 {} 区间；黑线为精确值。";
    PanelHistogram: "(d): shares of the trials, dashed lines at the means, curves are exact densities.", "(d): Anteile der Versuche, gestrichelte Linien bei den Mitteln, Kurven sind exakte Dichten.", "(d) : parts des essais, tirets aux moyennes, les courbes sont les densités exactes.", "(d)：试验占比，虚线为均值，曲线为精确密度。";
    ExactValues: "Exact values.", "Exakte Werte.", "Valeurs exactes.", "精确值。";
    ExactWhereKnown: "Exact values where theory knows them; else estimates.", "Exakte Werte, wo die Theorie sie kennt; sonst Schätzungen.", "Valeurs exactes si la théorie les donne ; sinon estimations.", "理论已知者为精确值，其余为估计值。";
    RegretCaption: "Numbers: by how much a value exceeds the best of its row.", "Zahlen: um wie viel ein Wert den besten seiner Zeile übertrifft.", "Nombres : de combien une valeur dépasse la meilleure de sa ligne.", "数字：超出该行最优值的幅度。";
    RegretFactors: "Numbers: a value over the best of its row.", "Zahlen: ein Wert, geteilt durch den besten seiner Zeile.", "Nombres : une valeur divisée par la meilleure de sa ligne.", "数字：该值与该行最优值之比。";
    Framed: "Framed: the lowest of each row.", "Umrahmt: der niedrigste jeder Zeile.", "Encadré : la plus basse de chaque ligne.", "加框：每行的最小值。";
    FramedTies: "Framed: the lowest of each row; thinly framed: what cannot be told from it.", "Umrahmt: der niedrigste jeder Zeile; dünn umrahmt: was von ihm nicht zu unterscheiden ist.", "Encadré : la plus basse de chaque ligne ; d’un trait fin : ce qui ne s’en distingue pas.", "粗框：每行的最小值；细框：与其无法区分者。";
    GuaranteeDashed: "Dashed: the ε of the guarantee.", "Gestrichelt: das ε der Garantie.", "Tirets : l’ε de la garantie.", "虚线：保证的 ε。";
    NoBar: "{} of {} means are ≤ 0 and have no bar on the log axis (triangles).", "{} von {} Mitteln sind ≤ 0 und haben auf der logarithmischen Achse keinen Balken (Dreiecke).", "{} moyennes sur {} sont ≤ 0 et n’ont pas de barre sur l’axe logarithmique (triangles).", "{} 个（共 {} 个）均值 ≤ 0，在对数轴上无条（三角）。";
    CompareTops: "The axis is logarithmic: compare tops, not lengths.", "Die Achse ist logarithmisch: Enden vergleichen, nicht Längen.", "L’axe est logarithmique : comparer les sommets, non les longueurs.", "坐标轴为对数：比较顶端，而非长度。";
    MissingDash: "A dash stands for a mean that is missing.", "Ein Strich steht für ein fehlendes Mittel.", "Un tiret indique une moyenne manquante.", "短横表示均值缺失。";
    ExactOnLog: "Hollow: exact values, where the simulated mean is 0, which the log axis does not show", "Hohl: exakte Werte, wo das simulierte Mittel 0 ist, das die logarithmische Achse nicht zeigt", "Creux : valeurs exactes, là où la moyenne simulée est 0, absente de l’axe logarithmique", "空心：精确值，该处模拟均值为 0，对数轴无法显示";
    NotOnLog: "Means ≤ 0, which the log axis does not show; lines break there", "Mittel ≤ 0, die auf der logarithmischen Achse fehlen; dort brechen Linien ab", "Moyennes ≤ 0, absentes de l’axe logarithmique ; les lignes s’y interrompent", "≤ 0 的均值不显示于对数轴，线在该处断开";
    CutAtLog: "Intervals that reach 0 and are cut at the log axis", "Intervalle, die bis 0 reichen und an der logarithmischen Achse abgeschnitten sind", "Intervalles qui atteignent 0 et sont coupés à l’axe logarithmique", "达到 0 而被对数轴截断的区间";
    OffAxis: "{} points without a positive finite {} or mean are not shown.", "{} Punkte ohne positives endliches {} oder Mittel sind nicht gezeigt.", "{} points sans {} ou moyenne finis et positifs ne sont pas montrés.", "{} 个点的 {} 或均值非正有限，未显示。";
    OfSubject: "{} of “{}”", "{} von „{}“", "{} de « {} »", "{}（{}）";
    OutOf: "{} of {}", "{} von {}", "{} sur {}", "{}/{}";
    ZCaption: "Distinct deviations: {}; those beyond {} are in the outermost bars. They share noise, so the bars need not follow the curve.", "Verschiedene Abweichungen: {}; die jenseits von {} sind in den äußersten Balken. Sie teilen Rauschen, weshalb die Balken der Kurve nicht folgen müssen.", "Écarts distincts : {} ; ceux au-delà de {} sont dans les barres extrêmes. Ils partagent du bruit, donc les barres ne suivent pas forcément la courbe.", "不同的偏差：{} 个；超过 {} 的归入最外侧的条。它们共用噪声，故条不必贴合曲线。";
    NoData: "no data", "keine Daten", "pas de données", "无数据";
    FrontNumbered: "Numbered: what is on the front; other points are cells that it beats.", "Nummeriert: was auf der Front ist; andere Punkte sind Zellen, die sie schlägt.", "Numérotés : ceux du front ; les autres points sont des cellules qu’il bat.", "编号者在前沿上；其余各点为被其超越的格。";

    MoreCandidates: "{} more candidates are in {}; `subjects` chooses.", "{} weitere Kandidaten stehen in {}; `subjects` wählt aus.", "{} autres candidats sont dans {} ; `subjects` choisit.", "另有 {} 个候选见 {}；用 `subjects` 选取。";
    MoreBars: "{} more bars are in {}; `cells` and `subjects` choose.", "{} weitere Balken stehen in {}; `cells` und `subjects` wählen aus.", "{} autres barres sont dans {} ; `cells` et `subjects` choisissent.", "另有 {} 条见 {}；用 `cells` 与 `subjects` 选取。";
    MoreLines: "{} more lines are in {}; `cells` chooses.", "{} weitere Linien stehen in {}; `cells` wählt aus.", "{} autres courbes sont dans {} ; `cells` choisit.", "另有 {} 条线见 {}；用 `cells` 选取。";
    BestShown: "Shown are those with the best means.", "Gezeigt sind die mit den besten Mitteln.", "Sont montrées celles aux meilleures moyennes.", "所示为均值最好者。";
    MoreRows: "{} more rows are in {}; `cells` and `subjects` choose.", "{} weitere Zeilen stehen in {}; `cells` und `subjects` wählen aus.", "{} autres lignes sont dans {} ; `cells` et `subjects` choisissent.", "另有 {} 行见 {}；用 `cells` 与 `subjects` 选取。";
    MoreColumns: "{} more columns are in {}; `cells` chooses.", "{} weitere Spalten stehen in {}; `cells` wählt aus.", "{} autres colonnes sont dans {} ; `cells` choisit.", "另有 {} 列见 {}；用 `cells` 选取。";
    MorePanels: "{} more panels are in {}; `cells` and `subjects` choose.", "{} weitere Felder stehen in {}; `cells` und `subjects` wählen aus.", "{} autres panneaux sont dans {} ; `cells` et `subjects` choisissent.", "另有 {} 幅见 {}；用 `cells` 与 `subjects` 选取。";
    MoreCells: "{} more cells are in {}; `cells` chooses.", "{} weitere Zellen stehen in {}; `cells` wählt aus.", "{} autres cellules sont dans {} ; `cells` choisit.", "另有 {} 格见 {}；用 `cells` 选取。";
    MoreQueries: "{} more queries are in {}; `subjects` chooses.", "{} weitere Abfragen stehen in {}; `subjects` wählt aus.", "{} autres requêtes sont dans {} ; `subjects` choisit.", "另有 {} 个查询见 {}；用 `subjects` 选取。";
    MoreAre: "More is in {}; `cells` and `subjects` choose.", "Mehr steht in {}; `cells` und `subjects` wählen aus.", "La suite est dans {} ; `cells` et `subjects` choisissent.", "其余见 {}；用 `cells` 与 `subjects` 选取。";
}
