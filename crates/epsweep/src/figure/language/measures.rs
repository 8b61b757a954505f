//! Measures as a reader says them: what they are, and their units.

/// A measure in words.
pub(super) struct Named {
    name: &'static str,
    /// in the order of the languages
    pub(super) words: [&'static str; 4],
    pub(super) unit: Unit,
}

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    None,
    Query,
    Answer,
    AnswerSquared,
    Answers,
    AnswersSquared,
    Probability,
    Score,
    Slots,
    Ideal,
    Queries,
    Positive,
    Above,
    Epsilon,
    Records,
    Column,
}

impl Unit {
    /// In the order of the languages; empty for none.
    pub(super) fn words(self) -> [&'static str; 4] {
        match self {
            Unit::None => ["", "", "", ""],
            Unit::Query => [
                "query's units",
                "Einheit der Abfrage",
                "unité de la requête",
                "查询单位",
            ],
            Unit::Answer => [
                "answer's units",
                "Einheit der Antwort",
                "unité de la réponse",
                "答案单位",
            ],
            Unit::AnswerSquared => [
                "answer's units²",
                "Einheit der Antwort²",
                "unité de la réponse²",
                "答案单位²",
            ],
            Unit::Answers => [
                "answers' units",
                "Einheit der Antworten",
                "unité des réponses",
                "答案单位",
            ],
            Unit::AnswersSquared => [
                "answers' units²",
                "Einheit der Antworten²",
                "unité des réponses²",
                "答案单位²",
            ],
            Unit::Probability => ["probability", "Wahrscheinlichkeit", "probabilité", "概率"],
            Unit::Score => [
                "score's units",
                "Einheit der Bewertung",
                "unité du score",
                "得分单位",
            ],
            Unit::Slots => [
                "part of the slots",
                "Teil der Plätze",
                "part des places",
                "名额占比",
            ],
            Unit::Ideal => ["1 is ideal", "1 ist ideal", "1 est idéal", "1 为理想"],
            Unit::Queries => ["queries", "Abfragen", "requêtes", "查询数"],
            Unit::Positive => [
                "share of positive answers",
                "Anteil der positiven Antworten",
                "part des réponses positives",
                "肯定答案占比",
            ],
            Unit::Above => [
                "share of queries above",
                "Anteil der Abfragen darüber",
                "part des requêtes au-dessus",
                "高于阈值查询占比",
            ],
            Unit::Epsilon => ["ε", "ε", "ε", "ε"],
            Unit::Records => [
                "share of the test records",
                "Anteil der Testdaten",
                "part des données de test",
                "测试记录占比",
            ],
            Unit::Column => [
                "column's units",
                "Einheit der Spalte",
                "unité de la colonne",
                "列单位",
            ],
        }
    }
}

macro_rules! measures {
    ($($name:literal: $unit:ident, $en:literal, $de:literal, $fr:literal, $zh:literal;)*) => {
        const TABLE: &[Named] = &[$(Named {
            name: $name,
            words: [$en, $de, $fr, $zh],
            unit: Unit::$unit,
        },)*];
    };
}

measures! {
    "answer": Query, "noisy answer", "verrauschte Antwort", "réponse bruitée", "加噪答案";
    "error": Answer, "error", "Fehler", "erreur", "误差";
    "abs_error": Answer, "|error|", "|Fehler|", "|erreur|", "|误差|";
    "squared_error": AnswerSquared, "squared error", "quadratischer Fehler", "erreur quadratique", "平方误差";
    "relative_error": None, "|error| / |true answer|", "|Fehler| / |wahre Antwort|", "|erreur| / |vraie réponse|", "|误差| / |真实答案|";
    "covered": Probability, "coverage of the analyst's interval", "Überdeckung des Intervalls", "couverture de l’intervalle", "区间覆盖率";
    "interval_width": Answer, "width of the analyst's interval", "Breite des Intervalls", "largeur de l’intervalle", "区间宽度";
    "max_abs_error": Answers, "largest |error|", "größter |Fehler|", "plus grande |erreur|", "最大|误差|";
    "mean_abs_error": Answers, "|error| averaged over answers", "|Fehler| über Antworten gemittelt", "|erreur| moyenne sur les réponses", "各答案平均|误差|";
    "rmse": Answers, "RMSE over answers", "RMSE über Antworten", "RMSE sur les réponses", "各答案 RMSE";
    "weighted_mse": AnswersSquared, "weighted squared error", "gewichteter quadratischer Fehler", "erreur quadratique pondérée", "加权均方误差";
    "scaled_error": None, "error per record and query", "Fehler je Datensatz und Abfrage", "erreur par enregistrement et requête", "每记录每查询误差";
    "population_error": Answer, "distance from the population", "Abstand von der Grundgesamtheit", "écart à la population", "与总体之差";
    "error_post": Answer, "error after post-processing", "Fehler nach Nachbearbeitung", "erreur après post-traitement", "后处理后误差";
    "abs_error_post": Answer, "|error| after post-processing", "|Fehler| nach Nachbearbeitung", "|erreur| après post-traitement", "后处理后|误差|";
    "squared_error_post": AnswerSquared, "squared error after post-processing", "quadratischer Fehler nach Nachbearbeitung", "erreur quadratique après post-traitement", "后处理后平方误差";
    "max_abs_error_post": Answers, "largest |error| after post-processing", "größter |Fehler| nach Nachbearbeitung", "plus grande |erreur| après post-traitement", "后处理后最大|误差|";
    "mean_abs_error_post": Answers, "|error| averaged over answers, after post-processing", "|Fehler| über Antworten gemittelt, nach Nachbearbeitung", "|erreur| moyenne sur les réponses, après post-traitement", "后处理后各答案平均|误差|";
    "rmse_post": Answers, "RMSE over answers after post-processing", "RMSE über Antworten nach Nachbearbeitung", "RMSE sur les réponses après post-traitement", "后处理后各答案 RMSE";
    "chosen": Probability, "choice", "Wahl", "choix", "选中";
    "utility_loss": Score, "utility loss", "Nutzenverlust", "perte d’utilité", "效用损失";
    "hit": Probability, "choice of the best", "Wahl des Besten", "choix du meilleur", "选中最优";
    "recall": Slots, "recall of the best", "Trefferquote der Besten", "rappel des meilleurs", "最优召回率";
    "ndcg": Ideal, "NDCG", "NDCG", "NDCG", "NDCG";
    "wrong_answers": Queries, "wrong answers", "falsche Antworten", "réponses fausses", "错误答案";
    "false_alarm": Queries, "false alarms", "Fehlalarme", "fausses alertes", "误报";
    "miss": Queries, "misses", "Versäumnisse", "omissions", "漏报";
    "not_asked": Queries, "never asked", "nie gestellt", "jamais posées", "未提出";
    "precision": Positive, "precision", "Genauigkeit der Meldungen", "précision", "精确率";
    "detection_rate": Above, "recall", "Trefferquote", "rappel", "召回率";
    "above": Queries, "positive answers", "positive Antworten", "réponses positives", "肯定答案";
    "answered": Queries, "answered", "beantwortet", "répondues", "已回答";
    "spent": Epsilon, "spent", "verbraucht", "dépensé", "已用";
    "answer_error": Answers, "|error| of numeric answers", "|Fehler| der Zahlenantworten", "|erreur| des réponses numériques", "数值答案|误差|";
    "stream_error": Answers, "|error| along the stream", "|Fehler| entlang des Stroms", "|erreur| le long du flux", "数据流|误差|";
    "spent_so_far": None, "spent so far", "bisher verbraucht", "dépensé jusqu’ici", "累计已用";
    "refused": None, "requests refused", "abgelehnte Anfragen", "demandes refusées", "被拒请求";
    "misjudged": None, "positions on the wrong side", "Stellen auf der falschen Seite", "positions du mauvais côté", "误判位置";
    "leak": Probability, "output beyond e^ε", "Ausgabe jenseits von e^ε", "sortie au-delà de e^ε", "超出 e^ε 的输出";
    "loss": None, "loss on the training records", "Verlust auf den Trainingsdaten", "perte sur les données d’apprentissage", "训练损失";
    "test_loss": None, "loss on the test records", "Verlust auf den Testdaten", "perte sur les données de test", "测试损失";
    "accuracy": Records, "accuracy", "Genauigkeit", "exactitude", "准确率";
    "distance": None, "distance from the optimum", "Abstand vom Optimum", "distance à l’optimum", "与最优解的距离";
    "step_loss": None, "loss after a step", "Verlust nach einem Schritt", "perte après un pas", "单步后损失";
    "bound": Column, "clipping bound", "Kappungsgrenze", "borne d’écrêtage", "截断界";
    "total_epsilon": None, "total ε", "gesamtes ε", "ε total", "总 ε";
    "total_lower": None, "lower bound on the total ε", "untere Schranke des gesamten ε", "borne inférieure de l’ε total", "总 ε 的下界";
    "most_runs": None, "largest number of runs within the guarantee", "größte Zahl von Läufen innerhalb der Garantie", "plus grand nombre d’exécutions dans la garantie", "保证内的最大运行次数";
}

/// The words of a measure.
pub(super) fn find(measure: &str) -> Option<&'static Named> {
    TABLE.iter().find(|known| known.name == measure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_measures_and_stand_once() {
        for (index, known) in TABLE.iter().enumerate() {
            assert!(crate::measure::find(known.name).is_some(), "{}", known.name);
            assert!(TABLE[..index].iter().all(|other| other.name != known.name));
            assert!(known.words.iter().all(|words| !words.is_empty()));
        }
    }
}
